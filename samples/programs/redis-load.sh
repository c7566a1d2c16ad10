redis-benchmark -p 56379 -q -c 20 -n 60000 -r 20000 -t set,get,lpush,zadd,hset,lrange_100
redis-benchmark -p 56379 -q -c 20 -n 60000 -P 8 -r 10000 EVAL '
local s = 0 for i = 1, 50 do s = s + i * KEYS[1] end
redis.call("SET", "k" .. KEYS[1], s)
return cjson.encode({sum = s, list = {1,2,3}})' 1 __rand_int__
