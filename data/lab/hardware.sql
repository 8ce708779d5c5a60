-- The queries of hardware.md, for `sqlite3 lab.db`.
CREATE TEMP VIEW f AS SELECT step.name AS step, label, measure, x, value
 FROM step JOIN measurement ON step.id = measurement.step WHERE experiment = 'hardware';
CREATE TEMP VIEW h AS SELECT label,
 max(value) FILTER (WHERE measure = 'functions') AS functions,
 max(value) FILTER (WHERE measure = 'memory') AS memory,
 max(value) FILTER (WHERE measure = 'ice40_luts') AS luts,
 max(value) FILTER (WHERE measure = 'ice40_registers') AS registers,
 max(value) FILTER (WHERE measure = 'ice40_rams') AS rams,
 max(value) FILTER (WHERE measure = 'ecp5_luts') AS ecp5,
 max(value) FILTER (WHERE measure = 'ice40_mhz') AS mhz,
 max(value) FILTER (WHERE measure = 'ecp5_mhz') AS ecp5_mhz,
 max(value) FILTER (WHERE measure = 'agrees') AS agrees
 FROM f GROUP BY step;
-- The document's table: logic elements, registers, bits of memory, MHz.
CREATE TEMP VIEW document(bits, functions, leap, leap_registers, memory, leap_mhz, snoopp, snoopp_registers,
 snoopp_mhz) AS VALUES (32, 32, 1632, 742, 5120, 169.2, 3725, 2847, 112.8),
 (32, 64, 1660, 737, 6144, 165.8, 7179, 5540, 109.0), (32, 128, 1709, 757, 8192, 151.4, 14047, 10921, 103.2),
 (32, 256, 1747, 788, 12288, 159.4, 27807, 21678, 97.6), (64, 32, 1732, 801, 6144, 147.9, 5424, 3873, 85.3),
 (64, 64, 1779, 819, 8192, 147.3, 10587, 7590, 83.6), (64, 128, 1801, 811, 12288, 151.2, 20872, 15019, 79.3),
 (64, 256, 1754, 810, 20480, 150.8, 54790, 29872, 89.3);
CREATE TEMP VIEW pair AS SELECT b.column1 AS bits, l.functions, l.luts AS leap,
 l.registers AS leap_registers, l.memory, l.mhz AS leap_mhz, s.luts AS snoopp,
 s.registers AS snoopp_registers, s.mhz AS snoopp_mhz, l.ecp5_mhz AS leap_ecp5_mhz, s.ecp5_mhz AS snoopp_ecp5_mhz
 FROM (VALUES (32), (64)) AS b JOIN h AS l ON l.label = 'leap(bits=' || b.column1 || ')'
 LEFT JOIN h AS s ON s.label = 'snoopp(bits=' || b.column1 || ')' AND s.functions = l.functions;
CREATE TEMP VIEW growth AS SELECT a.bits, b.leap / a.leap AS leap, b.snoopp / a.snoopp AS snoopp,
 b.snoopp / b.leap AS ratio, (b.memory - a.memory) / 224 AS memory, b.leap_mhz / a.leap_mhz AS clock
 FROM pair AS a JOIN pair AS b ON a.bits = b.bits WHERE a.functions = 32 AND b.functions = 256;
-- One row for each pair of widths.
CREATE TEMP VIEW grown AS SELECT
 max(leap) FILTER (WHERE bits = 32) AS leap_narrow, max(leap) FILTER (WHERE bits = 64) AS leap_wide,
 max(snoopp) FILTER (WHERE bits = 32) AS snoopp_narrow, max(snoopp) FILTER (WHERE bits = 64) AS snoopp_wide,
 max(ratio) FILTER (WHERE bits = 32) AS ratio_narrow, max(ratio) FILTER (WHERE bits = 64) AS ratio_wide,
 max(memory) FILTER (WHERE bits = 32) AS memory_narrow, max(memory) FILTER (WHERE bits = 64) AS memory_wide
 FROM growth;
CREATE TEMP VIEW accumulators AS SELECT
 max(luts) FILTER (WHERE label = 'multihash(tables=4,reset=0,counters=2048,interval=10K,threshold=1%,accumulator=8)') AS all8,
 max(luts) FILTER (WHERE label = 'multihash(tables=4,reset=0,counters=2048,interval=10K,threshold=1%,accumulator=16)') AS all16,
 max(luts) FILTER (WHERE label = 'multihash(tables=4,reset=0,counters=2048,interval=10K,threshold=1%,accumulator=8,ways=4)') AS sets8,
 max(luts) FILTER (WHERE label = 'multihash(tables=4,reset=0,counters=2048,interval=10K,threshold=1%,accumulator=16,ways=4)') AS sets16,
 max(registers) FILTER (WHERE label = 'multihash(tables=4,reset=0,counters=2048,interval=10K,threshold=1%,accumulator=8)') AS all8_registers,
 max(registers) FILTER (WHERE label = 'multihash(tables=4,reset=0,counters=2048,interval=10K,threshold=1%,accumulator=16)') AS all16_registers,
 max(registers) FILTER (WHERE label = 'multihash(tables=4,reset=0,counters=2048,interval=10K,threshold=1%,accumulator=8,ways=4)') AS sets8_registers,
 max(registers) FILTER (WHERE label = 'multihash(tables=4,reset=0,counters=2048,interval=10K,threshold=1%,accumulator=16,ways=4)') AS sets16_registers FROM h;
CREATE TEMP VIEW hashes AS SELECT m.luts / s.luts AS luts, m.registers / s.registers AS registers,
 m.memory / s.memory AS memory
 FROM (SELECT 1) LEFT JOIN h AS m ON m.label = 'multihash(tables=4,reset=0,counters=2048,interval=10K,threshold=1%,ways=4)'
 LEFT JOIN h AS s ON s.label = 'singlehash(interval=10K,threshold=1%,ways=4)';
-- Bits: of memory; and where registers are shared these, five of 64.
CREATE TEMP VIEW morrises AS SELECT o.luts / e.luts AS own, s.luts / e.luts AS shared,
 o.memory / (29.0 * 64) AS own_bits, (s.memory + 5 * 64) / (29.0 * 64) AS shared_bits
 FROM (SELECT 1) LEFT JOIN h AS e ON e.label = 'multiplexed(counters=29)'
 LEFT JOIN h AS o ON o.label = 'morris(registers=own)' LEFT JOIN h AS s ON s.label = 'morris(registers=shared)';
CREATE TEMP VIEW hpts AS SELECT b.luts / a.luts AS luts, b.memory / a.memory AS memory
 FROM (SELECT 1) LEFT JOIN h AS a ON a.label = 'hpt(128x4)' LEFT JOIN h AS b ON b.label = 'hpt(2048x4)';
CREATE TEMP VIEW ages AS SELECT a.luts AS age, l.luts AS lfu, a.luts / l.luts AS times
 FROM (SELECT 1) LEFT JOIN h AS a ON a.label = 'hpt(512x4,replacement=age)' LEFT JOIN h AS l ON l.label = 'hpt(512x4)';
CREATE TEMP VIEW samplers AS SELECT t.luts / h.luts AS t, g.luts / h.luts AS g
 FROM (SELECT 1) LEFT JOIN h ON h.label = 'H[P256]2048' LEFT JOIN h AS t ON t.label = 'T2/256x2048w2'
 LEFT JOIN h AS g ON g.label = 'G4/160x2048';

-- @tools
SELECT CASE WHEN count(*) THEN 'Nothing was measured: ' || min(x) || '.' ELSE '' END
 FROM f WHERE measure = 'absent';

-- @late
SELECT CASE WHEN count(*) THEN ' Given up after 15 minutes of a processor, and left out: '
 || group_concat(x || ' of `' || step || '`', ', ') || '.' ELSE '' END FROM f WHERE measure = 'late';

-- @simulated
SELECT count(*) FILTER (WHERE agrees = 1) AS agree, max(luts) FILTER (WHERE agrees = 1) AS largest FROM h;

-- @functions
SELECT functions, max(p.leap) FILTER (WHERE p.bits = 32) AS "LEAP 32 bits",
 max(p.leap) FILTER (WHERE p.bits = 64) AS "LEAP 64 bits",
 max(p.snoopp) FILTER (WHERE p.bits = 32) AS "SnoopP 32 bits",
 max(p.snoopp) FILTER (WHERE p.bits = 64) AS "SnoopP 64 bits",
 max(d.leap) FILTER (WHERE d.bits = 32) AS "published LEAP 32 bits",
 max(d.leap) FILTER (WHERE d.bits = 64) AS "published LEAP 64 bits",
 max(d.snoopp) FILTER (WHERE d.bits = 32) AS "published SnoopP 32 bits",
 max(d.snoopp) FILTER (WHERE d.bits = 64) AS "published SnoopP 64 bits"
 FROM pair AS p LEFT JOIN document AS d USING (bits, functions) GROUP BY functions;

-- @published
SELECT p.bits, p.functions, p.leap, p.leap_registers, p.memory, p.leap_mhz, p.leap_ecp5_mhz, d.leap, d.leap_registers, d.memory,
 d.leap_mhz FROM pair AS p LEFT JOIN document AS d USING (bits, functions) ORDER BY p.bits, p.functions;

-- @published_snoopp
SELECT p.bits, p.functions, p.snoopp, p.snoopp_registers, p.snoopp_mhz, p.snoopp_ecp5_mhz, d.snoopp, d.snoopp_registers,
 d.snoopp_mhz, p.snoopp / p.leap, 1.0 * d.snoopp / d.leap
 FROM pair AS p LEFT JOIN document AS d USING (bits, functions) ORDER BY p.bits, p.functions;

-- @leap_growth
SELECT leap_narrow AS narrow, leap_wide AS wide FROM grown;

-- @leap_growth_judged
SELECT max(leap_narrow, leap_wide) FROM grown;

-- @snoopp_growth
SELECT snoopp_narrow AS narrow, snoopp_wide AS wide FROM grown;

-- @snoopp_growth_verdict
SELECT CASE WHEN snoopp_narrow + snoopp_wide IS NULL THEN '–'
 WHEN snoopp_narrow BETWEEN 6.5 AND 8.5 AND snoopp_wide BETWEEN 9 AND 11 THEN 'holds'
 WHEN snoopp_narrow BETWEEN 6.5 AND 8.5 OR snoopp_wide BETWEEN 9 AND 11 THEN 'partly'
 ELSE 'does not' END FROM grown;

-- @leap_smaller
SELECT ratio_narrow AS narrow, ratio_wide AS wide FROM grown;

-- @leap_smaller_judged
SELECT ratio_narrow FROM grown;

-- @leap_memory
SELECT memory_narrow AS narrow, memory_wide AS wide FROM grown;

-- @leap_memory_verdict
SELECT CASE WHEN memory_narrow + memory_wide IS NULL THEN '–'
 WHEN memory_narrow BETWEEN 30 AND 34 AND memory_wide BETWEEN 60 AND 68 THEN 'holds'
 WHEN memory_narrow - 64 BETWEEN 30 AND 34 AND memory_wide - 64 BETWEEN 60 AND 68 THEN 'partly'
 ELSE 'does not' END FROM grown;

-- @leap_clock
SELECT clock FROM growth WHERE bits = 32;

-- @clocks
SELECT leap_mhz / snoopp_mhz FROM pair WHERE functions = 16 AND bits = 32;

-- @interval
SELECT label, luts, registers, rams, memory, ecp5, mhz, ecp5_mhz FROM h WHERE label LIKE '%hash(%' AND luts IS NOT NULL
 ORDER BY luts;

-- @sets_save
SELECT sets16 AS sets, all16 AS associative, sets16 / all16 AS share, (all16 - all8) / 8 AS entry,
 (all16_registers - all8_registers) / 8 AS registers, (sets16 - sets8) / 8 AS entry_in_sets,
 (sets16_registers - sets8_registers) / 8 AS registers_in_sets,
 100 * (all16 - all8) / 8 / (100 * (all16 - all8) / 8 + 2 * all8 - all16) AS of_hundred FROM accumulators;

-- @sets_save_verdict
SELECT CASE WHEN sets16 / all16 <= 0.5 THEN 'holds' WHEN sets16 / all16 > 0.5 THEN 'does not' ELSE '–' END
 FROM accumulators;

-- @multi_over_single
SELECT luts, registers, memory FROM hashes;

-- @multi_over_single_verdict
SELECT CASE WHEN luts BETWEEN 1 AND 2 THEN 'holds' WHEN luts > 0 THEN 'does not' ELSE '–' END FROM hashes;

-- @base
SELECT b.luts, b.memory, e.luts AS exact_luts, e.memory AS exact_memory
 FROM (SELECT 1) LEFT JOIN h AS b ON b.label = 'multihash(tables=4,reset=0,counters=2048,interval=10K,threshold=1%,ways=4,bits=8,base=1.02)'
 LEFT JOIN h AS e ON e.label = 'multihash(tables=4,reset=0,counters=2048,interval=10K,threshold=1%,ways=4)';

-- @counters
SELECT label, luts, registers, rams, memory, ecp5, mhz, ecp5_mhz, registers + memory FROM h
 WHERE (label LIKE 'm%plexed(%' OR label LIKE 'morris%' OR label = 'fpc') AND luts IS NOT NULL ORDER BY luts;

-- @morris
SELECT own, shared, own_bits, shared_bits FROM morrises;

-- @morris_bits_verdict
SELECT CASE WHEN own_bits + shared_bits IS NULL THEN '–'
 WHEN own_bits BETWEEN 0.42 AND 0.52 AND shared_bits BETWEEN 0.42 AND 0.52 THEN 'holds'
 WHEN own_bits BETWEEN 0.42 AND 0.52 OR shared_bits BETWEEN 0.42 AND 0.52 THEN 'partly'
 ELSE 'does not' END FROM morrises;

-- @morris_verdict
SELECT CASE WHEN own + shared IS NULL THEN '–' WHEN max(own, shared) < 1 THEN 'holds'
 WHEN min(own, shared) < 1 THEN 'partly' ELSE 'does not' END FROM morrises;

-- @sizes
SELECT label, luts, registers, rams, memory, ecp5, mhz, ecp5_mhz FROM h WHERE label LIKE 'hpt(%' AND luts IS NOT NULL
 ORDER BY label LIKE '%,%', memory;

-- @hpt_growth
SELECT luts, memory FROM hpts;

-- @hpt_growth_verdict
SELECT CASE WHEN luts BETWEEN 0.8 AND 1.25 THEN 'holds' WHEN luts > 0 THEN 'does not' ELSE '–' END FROM hpts;

-- @hpt_age
SELECT age, lfu, times FROM ages;

-- @hpt_age_verdict
SELECT CASE WHEN times IS NULL THEN '–' WHEN times <= 1.25 THEN 'holds' WHEN times <= 1.5 THEN 'partly'
 ELSE 'does not' END FROM ages;

-- @others
SELECT label, luts, registers, rams, memory, ecp5, mhz, ecp5_mhz FROM h
 WHERE label NOT LIKE '%hash(%' AND label NOT LIKE 'morris%' AND label NOT LIKE 'm%plexed(%' AND label <> 'fpc'
 AND label NOT LIKE 'hpt(%' AND functions IS NULL AND luts IS NOT NULL ORDER BY luts;

-- @compressors
SELECT t, g FROM samplers;

-- @compressors_verdict
SELECT CASE WHEN t + g IS NULL THEN '–' WHEN t BETWEEN 1 AND 2 AND g BETWEEN 1 AND 2 THEN 'holds'
 WHEN t BETWEEN 1 AND 2 OR g BETWEEN 1 AND 2 THEN 'partly' ELSE 'does not' END FROM samplers;
