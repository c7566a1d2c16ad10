/* Two threads that wait, and two virtual ones; prints a line when all of them do. */
public class Waits {
    static void doze() { try { Thread.sleep(60000); } catch (InterruptedException e) { } }
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 2; i++) { new Thread(Waits::doze, "worker-" + i).start(); Thread.startVirtualThread(Waits::doze); }
        Thread.sleep(500);
        System.out.println("ready");
        doze();
    }
}
