import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;

public class Words {
    record Order(int id, String customer, double total, List<String> items) { }

    static List<Order> orders(int n, long seed) {
        Random random = new Random(seed);
        return IntStream.range(0, n).mapToObj(i -> new Order(i, "customer-" + random.nextInt(500),
            random.nextDouble() * 100, random.ints(6, 0, 200).mapToObj(k -> "item " + k).collect(Collectors.toList())))
            .collect(Collectors.toList());
    }

    static Map<String, DoubleSummaryStatistics> byCustomer(List<Order> orders) {
        return orders.parallelStream().collect(Collectors.groupingByConcurrent(Order::customer,
            ConcurrentHashMap::new, Collectors.summarizingDouble(Order::total)));
    }

    static String popular(List<Order> orders) {
        return orders.stream().flatMap(o -> o.items().stream()).map(String::toUpperCase)
            .collect(Collectors.groupingBy(s -> s, TreeMap::new, Collectors.counting()))
            .entrySet().stream().sorted(Map.Entry.<String, Long>comparingByValue().reversed()).limit(10)
            .map(e -> String.format("%s=%d", e.getKey(), e.getValue())).collect(Collectors.joining(", "));
    }

    static int matches(List<Order> orders) {
        var pattern = java.util.regex.Pattern.compile("item (1\\d*|\\d*7)");
        return orders.stream().mapToInt(o -> (int) o.items().stream().filter(i -> pattern.matcher(i).matches()).count()).sum();
    }

    public static void main(String[] args) {
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000L;
        int rounds = 0, sum = 0;
        for (; System.nanoTime() < end; rounds++) {
            List<Order> orders = orders(20_000, rounds);
            sum += byCustomer(orders).size() + popular(orders).length() + matches(orders);
        }
        System.out.println(rounds + " " + sum);
    }
}
