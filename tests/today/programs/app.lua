-- Computes for half a second of CPU time.
local function mix(n) local s = 0 for i = 1, n do s = s + math.sin(i) % 7 end return s end
local function work() local s = 0 while os.clock() < 0.5 do s = s + mix(10000) end return s end
print(work() > 0)
