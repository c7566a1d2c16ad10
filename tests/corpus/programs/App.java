public class App {
    static volatile long sink;
    static void mix(int n) { for (int i = 0; i < n; i++) sink += i * 31L; }
    static void work() { long end = System.currentTimeMillis() + 1500; while (System.currentTimeMillis() < end) mix(10000); }
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(App::work, "worker"); t.start(); work(); t.join();
    }
}
