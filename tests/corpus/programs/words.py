"""Parses lines in two ways; for profilers of Python."""
import sys


def read(n):
    return "".join(chr(65 + i % 26) for i in range(n))


def parse(text):
    return [word for word in text.split("E")]


def main():
    for i in range(int(sys.argv[1]) if len(sys.argv) > 1 else 20):
        parse(read(200 + i))


if __name__ == "__main__":
    main()
