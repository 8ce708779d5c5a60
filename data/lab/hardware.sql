-- The queries of hardware.md, for `sqlite3 lab.db`.
CREATE TEMP VIEW f AS SELECT step.name AS step, label, measure, x, value
 FROM step JOIN figure ON step.id = figure.step WHERE experiment = 'hardware';
CREATE TEMP VIEW h AS SELECT label,
 max(value) FILTER (WHERE measure = 'functions') AS functions,
 max(value) FILTER (WHERE measure = 'memory') AS memory,
 max(value) FILTER (WHERE measure = 'ice40_luts') AS luts,
 max(value) FILTER (WHERE measure = 'ice40_registers') AS registers,
 max(value) FILTER (WHERE measure = 'ice40_rams') AS rams,
 max(value) FILTER (WHERE measure = 'ecp5_luts') AS ecp5,
 max(value) FILTER (WHERE measure = 'mhz') AS mhz
 FROM f GROUP BY step;
-- The document's table: logic elements.
CREATE TEMP VIEW document(bits, functions, leap, snoopp) AS VALUES (32, 32, 1632, 3725),
 (32, 64, 1660, 7179), (32, 128, 1709, 14047), (32, 256, 1747, 27807), (64, 32, 1732, 5424),
 (64, 64, 1779, 10587), (64, 128, 1801, 20872), (64, 256, 1754, 54790);
CREATE TEMP VIEW pair AS SELECT b.column1 AS bits, l.functions, l.luts AS leap,
 l.registers AS leap_registers, l.memory, l.mhz, s.luts AS snoopp, s.registers AS snoopp_registers
 FROM (VALUES (32), (64)) AS b JOIN h AS l ON l.label = 'leap(bits=' || b.column1 || ')'
 JOIN h AS s ON s.label = 'snoopp(bits=' || b.column1 || ')' AND s.functions = l.functions;
CREATE TEMP VIEW growth AS SELECT a.bits, b.leap / a.leap AS leap, b.snoopp / a.snoopp AS snoopp,
 b.snoopp / b.leap AS ratio FROM pair AS a JOIN pair AS b ON a.bits = b.bits
 WHERE a.functions = 32 AND b.functions = 256;

-- @tools
SELECT CASE WHEN count(*) THEN 'Nothing was measured: ' || min(x) || '.' ELSE '' END
 FROM f WHERE measure = 'absent';

-- @functions
SELECT functions, max(leap) FILTER (WHERE bits = 32) AS "LEAP, 32 bits",
 max(leap) FILTER (WHERE bits = 64) AS "LEAP, 64 bits",
 max(snoopp) FILTER (WHERE bits = 32) AS "SnoopP, 32 bits",
 max(snoopp) FILTER (WHERE bits = 64) AS "SnoopP, 64 bits" FROM pair GROUP BY functions;

-- @published
SELECT p.bits, p.functions, p.leap, leap_registers, memory, mhz, d.leap, p.snoopp, snoopp_registers,
 d.snoopp, p.snoopp / p.leap, 1.0 * d.snoopp / d.leap
 FROM pair AS p LEFT JOIN document AS d ON p.bits = d.bits AND p.functions = d.functions
 ORDER BY p.bits, p.functions;

-- @leap_growth
SELECT max(leap) FILTER (WHERE bits = 32) AS narrow, 0 AS spread,
 max(leap) FILTER (WHERE bits = 64) AS wide FROM growth;

-- @snoopp_growth
SELECT max(snoopp) FILTER (WHERE bits = 32) AS narrow, 0 AS spread,
 max(snoopp) FILTER (WHERE bits = 64) AS wide FROM growth;

-- @leap_smaller
SELECT max(ratio) FILTER (WHERE bits = 32) AS narrow, 0 AS spread,
 max(ratio) FILTER (WHERE bits = 64) AS wide FROM growth;

-- @interval
SELECT label, luts, registers, rams, ecp5, mhz FROM h WHERE label LIKE '%hash(%' AND luts IS NOT NULL
 ORDER BY luts;

-- @sets_save
SELECT s.luts AS v1, a.luts AS v2, a.luts / s.luts AS v3
 FROM (SELECT 1) LEFT JOIN h AS a
 ON a.label = 'multihash(tables=4,reset=0,counters=2048,interval=10K,threshold=1%,accumulator=16)'
 LEFT JOIN h AS s ON s.label = 'multihash(tables=4,reset=0,counters=2048,interval=10K,threshold=1%,accumulator=16,ways=4)';

-- @sets_save_verdict
SELECT CASE WHEN s.luts / a.luts <= 0.5 THEN 'holds' WHEN s.luts / a.luts > 0.5 THEN 'does not' ELSE '–' END
 FROM (SELECT 1) LEFT JOIN h AS a
 ON a.label = 'multihash(tables=4,reset=0,counters=2048,interval=10K,threshold=1%,accumulator=16)'
 LEFT JOIN h AS s ON s.label = 'multihash(tables=4,reset=0,counters=2048,interval=10K,threshold=1%,accumulator=16,ways=4)';

-- @multi_over_single
SELECT m.luts / s.luts FROM (SELECT 1)
 LEFT JOIN h AS m ON m.label = 'multihash(tables=4,reset=0,counters=2048,interval=10K,threshold=1%,ways=4)'
 LEFT JOIN h AS s ON s.label = 'singlehash(interval=10K,threshold=1%,ways=4)';

-- @multi_over_single_verdict
SELECT CASE WHEN m.luts / s.luts BETWEEN 1 AND 2 THEN 'holds' WHEN m.luts / s.luts > 0 THEN 'does not' ELSE '–' END
 FROM (SELECT 1)
 LEFT JOIN h AS m ON m.label = 'multihash(tables=4,reset=0,counters=2048,interval=10K,threshold=1%,ways=4)'
 LEFT JOIN h AS s ON s.label = 'singlehash(interval=10K,threshold=1%,ways=4)';

-- @base
SELECT b.luts AS v1, b.memory AS v2, e.luts AS v3, e.memory AS v4
 FROM (SELECT 1) LEFT JOIN h AS b ON b.label = 'multihash(tables=4,reset=0,counters=2048,interval=10K,threshold=1%,ways=4,bits=8,base=1.02)'
 LEFT JOIN h AS e ON e.label = 'multihash(tables=4,reset=0,counters=2048,interval=10K,threshold=1%,ways=4)';

-- @counters
SELECT label, luts, registers, rams, memory, ecp5, mhz FROM h
 WHERE (label LIKE 'm%plexed(%' OR label LIKE 'morris%' OR label = 'fpc') AND luts IS NOT NULL ORDER BY luts;

-- @morris
SELECT (o.luts + o.registers) / (e.luts + e.registers) AS own,
 (s.luts + s.registers) / (e.luts + e.registers) AS shared
 FROM (SELECT 1) LEFT JOIN h AS e ON e.label = 'multiplexed(counters=29)'
 LEFT JOIN h AS o ON o.label = 'morris(registers=own)' LEFT JOIN h AS s ON s.label = 'morris(registers=shared)';

-- @morris_verdict
SELECT CASE WHEN min(o.luts + o.registers, s.luts + s.registers) < e.luts + e.registers THEN 'holds'
 WHEN e.luts > 0 THEN 'does not' ELSE '–' END
 FROM (SELECT 1) LEFT JOIN h AS e ON e.label = 'multiplexed(counters=29)'
 LEFT JOIN h AS o ON o.label = 'morris(registers=own)' LEFT JOIN h AS s ON s.label = 'morris(registers=shared)';

-- @others
SELECT label, luts, registers, rams, memory, ecp5, mhz FROM h
 WHERE label NOT LIKE '%hash(%' AND label NOT LIKE 'morris%' AND label NOT LIKE 'm%plexed(%' AND label <> 'fpc'
 AND functions IS NULL AND luts IS NOT NULL ORDER BY label;
