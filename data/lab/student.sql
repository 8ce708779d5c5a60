-- The two-sided 95 % points of Student's t, an array by the number of values, for confidence
-- intervals: a table to 31 values, beyond that the first terms of its expansion around the
-- normal distribution's.
CREATE TABLE IF NOT EXISTS student(id INTEGER PRIMARY KEY, points TEXT);
WITH RECURSIVE z(z) AS (SELECT 1.959964),
 n(n) AS (SELECT 32 UNION ALL SELECT n + 1 FROM n WHERE n < 1000)
INSERT OR IGNORE INTO student SELECT 1, '[null,null,12.706,4.303,3.182,2.776,2.571,2.447,2.365,2.306,'
 || '2.262,2.228,2.201,2.179,2.160,2.145,2.131,2.120,2.110,2.101,2.093,2.086,2.080,2.074,2.069,'
 || '2.064,2.060,2.056,2.052,2.048,2.045,2.042,'
 || group_concat(z + (z * z * z + z) / (4 * (n - 1))) || ']' FROM n, z;
