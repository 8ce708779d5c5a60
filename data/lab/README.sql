-- The queries of README.md, for `sqlite3 lab.db`.
CREATE TEMP TABLE part(experiment, document, number);
INSERT INTO part VALUES ('interval', 1, 1), ('functions', 2, 1), ('sampling', 3, 1),
 ('compressors', 3, 2), ('paths', 4, 1), ('wpp', 4, 2), ('optimizer', 4, 3), ('counters', 5, 1),
 ('hardware', 2, 2), ('designs', 6, 1), ('windows', 7, 1);
CREATE TEMP VIEW listed AS SELECT document, part.number AS part, claim.*,
 '[' || experiment || '](' || experiment || '.md)' ||
 coalesce(', [plot](' || experiment || '-' || plot || '.svg)', '') AS see
 FROM claim JOIN part USING (experiment);
INSERT INTO part VALUES ('predictors', 6, 2), ('simpoint', 6, 3), ('blame', 8, 1);

-- @counted
SELECT count(*) FILTER (WHERE verdict = 'holds') AS holds, count(*) FILTER (WHERE verdict = 'partly')
 AS partly, count(*) FILTER (WHERE verdict = 'does not') AS not_so,
 count(*) FILTER (WHERE verdict = '–') AS open, count(*) AS all_of FROM listed WHERE kind = 'claim';

-- @short
SELECT ours FROM claim WHERE experiment = 'interval' AND what LIKE
 'The mean error of the best configuration on values%';

-- @short_2
SELECT ours FROM claim WHERE experiment = 'functions' AND what LIKE 'LEAP, which sees calls%';

-- @short_3
SELECT ours FROM claim WHERE experiment = 'compressors' AND what LIKE 'On gcc, H[P256]2048 brings%';

-- @short_4
SELECT ours FROM claim WHERE experiment = 'paths' AND number = 1;

-- @short_5
SELECT avg(value) FROM step JOIN measurement ON id = step WHERE experiment = 'paths' AND label = '512x4 age'
 AND measure = 'overlap';

-- @short_6
SELECT CASE WHEN count(*) THEN
 'With 2,048 such entries a real optimizer saves nearly as many taken branches as with the complete profile ('
 || max(ours) || ').' ELSE '' END FROM claim WHERE experiment = 'optimizer' AND what LIKE '2,048 entries%';

-- @short_7
SELECT ours FROM claim WHERE experiment = 'counters' AND what LIKE 'The error is 25%';

-- @interval
SELECT what, published, ours, verdict, rule, see
 FROM listed WHERE document = 1 AND kind = 'claim' ORDER BY part, number;

-- @functions
SELECT what, published, ours, verdict, rule, see
 FROM listed WHERE document = 2 AND kind = 'claim' ORDER BY part, number;

-- @compressors
SELECT what, published, ours, verdict, rule, see
 FROM listed WHERE document = 3 AND kind = 'claim' ORDER BY part, number;

-- @paths
SELECT what, published, ours, verdict, rule, see
 FROM listed WHERE document = 4 AND kind = 'claim' ORDER BY part, number;

-- @counters
SELECT what, published, ours, verdict, rule, see
 FROM listed WHERE document = 5 AND kind = 'claim' ORDER BY part, number;

-- @blame
SELECT what, published, ours, verdict, rule, see
 FROM listed WHERE document = 8 AND kind = 'claim' ORDER BY part, number;

-- @all_them_together
SELECT CASE WHEN count(*) THEN '[designs](designs.md)' ELSE 'The experiment designs' END FROM listed
 WHERE experiment = 'designs';

-- @ours
SELECT what, published, ours, verdict, rule, see FROM listed WHERE kind = 'ours'
 ORDER BY document, part, number;

-- @windows
SELECT what, published, ours, verdict, rule, see FROM listed WHERE kind = 'window' ORDER BY part, number;

-- @identities
SELECT what, published, ours, verdict, rule, see FROM listed WHERE kind = 'identity'
 ORDER BY document, part, number;

-- @differences
SELECT what, verdict, replace(coalesce(why, ''), char(10), ' ')
 FROM listed WHERE verdict <> 'holds' AND kind NOT IN ('identity', 'window')
 ORDER BY document, part, number;

-- @made_with
SELECT CASE count(*) WHEN 1 THEN 'All of this was measured with sluice''s commit ' || max(sluice_version) ||
 printf(', in %,d steps that took %.1f hours of one processor.', sum(n), sum(hours)) ELSE
 'This was measured with several commits of sluice: ' || group_concat(sluice_version || printf(' (%,d steps, %.1f hours of one processor)',
 n, hours), ', ') || '.' END FROM (SELECT coalesce(sluice_version, 'unknown') AS sluice_version, count(*) AS n, sum(seconds) / 3600 AS hours
 FROM step GROUP BY 1 ORDER BY n DESC);

-- @pages
SELECT part.experiment, CASE WHEN count(step.id) THEN group_concat(DISTINCT coalesce(sluice_version, 'unknown')) ELSE
 'not measured in this run' END, count(step.id), CASE WHEN count(step.id) THEN sum(seconds) / 3600 END
 FROM part LEFT JOIN step ON step.experiment = part.experiment GROUP BY part.experiment ORDER BY document, part.number;

-- @programs
SELECT name, version, description, kind
 FROM program WHERE exclusion_reason IS NULL ORDER BY kind, name;

-- @what
SELECT CASE WHEN count(*) = 0 THEN 'None was left out.' ELSE 'Left out: ' || group_concat(name || ': '
 || exclusion_reason, '; ') || '.' END FROM program WHERE exclusion_reason IS NOT NULL;
