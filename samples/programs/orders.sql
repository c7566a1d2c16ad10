PRAGMA journal_mode = WAL;
CREATE TABLE customer(id INTEGER PRIMARY KEY, name TEXT UNIQUE, city TEXT);
CREATE TABLE orders(id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customer, day TEXT, total REAL, note TEXT);
CREATE INDEX orders_by_day ON orders(day, customer);
CREATE TABLE audit(id INTEGER PRIMARY KEY, what TEXT, at TEXT);
CREATE TRIGGER orders_audit AFTER INSERT ON orders BEGIN INSERT INTO audit(what, at) VALUES('order ' || NEW.id, NEW.day); END;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
INSERT INTO customer SELECT i, printf('customer %05d', (i * 7919) % 20000), 'city ' || (i % 97) FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250000)
INSERT INTO orders SELECT i, abs(random()) % 20000 + 1, date('2020-01-01', (i % 1500) || ' days'),
    (i * 31 % 10007) / 7.0, hex(randomblob(12)) FROM n;
CREATE VIRTUAL TABLE notes USING fts5(note);
INSERT INTO notes SELECT name || ' ' || city || ' ' || note FROM orders JOIN customer ON customer = customer.id WHERE orders.id % 5 = 0;
SELECT city, count(*), round(sum(total), 2) AS t FROM orders JOIN customer ON customer = customer.id
    GROUP BY city ORDER BY t DESC LIMIT 5;
SELECT day, total, avg(total) OVER (PARTITION BY customer ORDER BY day ROWS 5 PRECEDING) AS a FROM orders ORDER BY a DESC LIMIT 5;
SELECT count(*) FROM orders WHERE note LIKE '%ABC%' OR note GLOB '*00F*';
SELECT count(*) FROM notes WHERE notes MATCH 'city AND 42';
UPDATE orders SET total = total * 1.1 WHERE day BETWEEN '2021-01-01' AND '2021-06-30';
DELETE FROM orders WHERE day < '2020-03-01';
VACUUM;
