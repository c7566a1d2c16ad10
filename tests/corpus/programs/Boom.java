public class Boom {
    static int parse(String s) { return Integer.parseInt(s); }
    static void handle(int i) { try { parse(i % 2 == 0 ? "x" : "y" + i); } catch (NumberFormatException e) { throw new IllegalStateException("request " + i + " failed", e); } }
    public static void main(String[] a) { for (int i = 0; i < 6; i++) try { handle(i); } catch (RuntimeException e) { System.out.println("2026-01-01 12:00:0" + i + " ERROR"); e.printStackTrace(System.out); } }
}
