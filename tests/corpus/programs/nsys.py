# Writes app.sqlite as `nsys export --type sqlite` does, after the schema in the documentation of Nsight
# Systems 2026.1. Usage: nsys.py FILE
import os
import sqlite3
import sys

PROCESS = 1 << 56 | 4242 << 24
TRAIN, LOADER = PROCESS | 4242, PROCESS | 4250
TABLES = '''
CREATE TABLE StringIds(id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE ENUM_CUDA_MEMCPY_OPER(id INTEGER NOT NULL PRIMARY KEY,
    name TEXT, label TEXT);
CREATE TABLE TARGET_INFO_GPU(vmId INTEGER NOT NULL, id INTEGER NOT NULL,
    name TEXT, busLocation TEXT);
CREATE TABLE PROCESSES(globalPid INTEGER, pid INTEGER, name TEXT);
CREATE TABLE ThreadNames(nameId INTEGER NOT NULL, priority INTEGER,
    globalTid INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER NOT NULL,
    "end" INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL,
    greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER,
    globalPid INTEGER, demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL,
    mangledName INTEGER, graphNodeId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start INTEGER NOT NULL,
    "end" INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL,
    streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
    bytes INTEGER NOT NULL, copyKind INTEGER NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET(start INTEGER NOT NULL,
    "end" INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL,
    streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
    value INTEGER NOT NULL, bytes INTEGER NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INTEGER NOT NULL,
    "end" INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER,
    correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL,
    callchainId INTEGER);
CREATE TABLE NVTX_EVENTS(start INTEGER NOT NULL, "end" INTEGER,
    eventType INTEGER NOT NULL, rangeId INTEGER, category INTEGER,
    color INTEGER, text TEXT, globalTid INTEGER, endGlobalTid INTEGER,
    textId INTEGER, domainId INTEGER);
CREATE TABLE OSRT_API(start INTEGER NOT NULL, "end" INTEGER NOT NULL,
    eventClass INTEGER, globalTid INTEGER, correlationId INTEGER,
    nameId INTEGER NOT NULL);
CREATE TABLE COMPOSITE_EVENTS(id INTEGER NOT NULL PRIMARY KEY,
    start INTEGER NOT NULL, cpu INTEGER, threadState INTEGER, globalTid INTEGER,
    cpuCycles INTEGER NOT NULL);
CREATE TABLE SAMPLING_CALLCHAINS(id INTEGER NOT NULL, symbol INTEGER NOT NULL,
    module INTEGER NOT NULL, kernelMode INTEGER, thumbCode INTEGER,
    unresolved INTEGER, specialEntry INTEGER, originalIP INTEGER,
    unresolvedIP INTEGER, stackDepth INTEGER NOT NULL);
'''
NAMES = ['app', 'main', 'train', 'cudaLaunchKernel_v7000', 'cudaMemcpyAsync_v3020', 'cudaMemsetAsync_v3020',
         'void gemm<float, 128>(float const*, float*)', 'gemm', 'void relu<float>(float*)', 'relu', 'load',
         'libapp.so', '[kernel.kallsyms]', 'do_syscall_64', 'loader', 'ncclDevKernel_AllReduce_Sum_f32',
         'cudaGraphLaunch_v10000', 'pthread_cond_wait', 'optimizer']
IDS = {name: 10 + 3 * i for i, name in enumerate(NAMES)}
GEMM, RELU = 'void gemm<float, 128>(float const*, float*)', 'void relu<float>(float*)'
NCCL = 'ncclDevKernel_AllReduce_Sum_f32'
PUSH_POP, START_END, MARK = 59, 60, 34


def rows(c, table, columns, values):
    c.executemany(f'INSERT INTO {table}({columns}) VALUES({",".join("?" * len(columns.split(",")))})', values)


def kernel(start, end, correlation, name):
    return start, end, 0, 1, 7, correlation, PROCESS, IDS[name], IDS[name]


def call(thread, start, end, correlation, name):
    return start, end, 0, thread, correlation, IDS[name], 0


def write(c):
    c.executescript(TABLES)
    rows(c, 'StringIds', 'value,id', IDS.items())
    rows(c, 'TARGET_INFO_GPU', 'vmId,id,name', [(1, 0, 'NVIDIA A100-SXM4-40GB')])
    rows(c, 'PROCESSES', 'globalPid,pid,name', [(PROCESS, 4242, '/opt/app/train')])
    rows(c, 'ThreadNames', 'nameId,globalTid', [(IDS['app'], TRAIN), (IDS['loader'], LOADER)])
    rows(c, 'CUPTI_ACTIVITY_KIND_KERNEL',
         'start,end,deviceId,contextId,streamId,correlationId,globalPid,demangledName,shortName',
         [kernel(10000, 40000, 1, GEMM), kernel(40000, 45000, 2, RELU), kernel(45000, 55000, 3, GEMM),
          kernel(55000, 60000, 3, NCCL), kernel(70000, 72000, 99, RELU)])
    rows(c, 'CUPTI_ACTIVITY_KIND_MEMCPY',
         'start,end,deviceId,contextId,streamId,correlationId,globalPid,bytes,copyKind',
         [(3000, 9000, 0, 1, 14, 5, PROCESS, 65536, 1)])
    rows(c, 'CUPTI_ACTIVITY_KIND_MEMSET',
         'start,end,deviceId,contextId,streamId,correlationId,globalPid,value,bytes',
         [(65000, 66000, 0, 1, 7, 4, PROCESS, 0, 4096)])
    rows(c, 'CUPTI_ACTIVITY_KIND_RUNTIME',
         'start,end,eventClass,globalTid,correlationId,nameId,returnValue',
         [call(TRAIN, 3000, 5000, 1, 'cudaLaunchKernel_v7000'),
          call(TRAIN, 6000, 8000, 2, 'cudaLaunchKernel_v7000'),
          call(TRAIN, 9000, 12000, 3, 'cudaGraphLaunch_v10000'),
          call(TRAIN, 63000, 64000, 4, 'cudaMemsetAsync_v3020'),
          call(LOADER, 500, 2500, 5, 'cudaMemcpyAsync_v3020')])
    rows(c, 'NVTX_EVENTS', 'start,end,eventType,text,textId,globalTid,endGlobalTid',
         [(1000, 101000, PUSH_POP, 'step', None, TRAIN, None),
          (2000, 61000, PUSH_POP, None, IDS['train'], TRAIN, None),
          (62000, 90000, PUSH_POP, None, IDS['optimizer'], TRAIN, None),
          (400, 2600, PUSH_POP, None, IDS['load'], LOADER, None),
          (1500, 99000, START_END, 'a range of the process', None, TRAIN, LOADER),
          (1600, None, MARK, 'a mark', None, TRAIN, None)])
    rows(c, 'OSRT_API', 'start,end,globalTid,nameId', [(91000, 95000, LOADER, IDS['pthread_cond_wait'])])
    # A sample: its thread, time and call chain, leaf first.
    for i, (thread, time, chain) in enumerate([(TRAIN, 1500, ['train', 'main']), (TRAIN, 2500, ['train', 'main']),
                                               (LOADER, 1200, ['do_syscall_64', 'load']),
                                               (TRAIN, 70000, ['optimizer', 'main'])]):
        rows(c, 'COMPOSITE_EVENTS', 'id,start,cpu,globalTid,cpuCycles', [(i + 1, time, 0, thread, 1000)])
        rows(c, 'SAMPLING_CALLCHAINS', 'id,symbol,module,kernelMode,stackDepth',
             [(i + 1, IDS[name], IDS['[kernel.kallsyms]' if 'sys' in name else 'libapp.so'], int('sys' in name), depth)
              for depth, name in enumerate(chain)])


def main(path):
    if os.path.exists(path):
        os.remove(path)
    db = sqlite3.connect(path)
    db.execute('PRAGMA page_size = 1024')
    write(db.cursor())
    db.commit()
    db.execute('VACUUM')
    db.close()


main(sys.argv[1])
