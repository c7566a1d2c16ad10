require 'stackprof'
require 'json'
def parse(n) = (1..n).sum { |i| i * i % 7 }
def render(n) = (1..n).map { |i| "item #{i}" }.join(',')
p = StackProf.run(mode: :wall, interval: 2000, raw: true) { 30.times { parse(20000); render(3000) } }
puts JSON.generate(p)
