-- What results_interval.c prints, and names for what the document speaks of.
CREATE TABLE program(name, position INT, version, does, phases INT);
CREATE TABLE profile(program, detector, tables INT, counters INT, bits INT, interval INT,
    threshold REAL, conservative INT, reset INT, retain INT, adapt INT, storage_bits INT,
    bound REAL, events INT, full INT, drops INT, error REAL, false_positive REAL,
    false_negative REAL, neutral_positive REAL, neutral_negative REAL, false_positive_rate REAL,
    distinct_tuples REAL, candidates REAL, reported REAL, foretold REAL, entered INT);
CREATE TABLE one_interval(program, detector, tables INT, counters INT, bits INT, interval INT,
    threshold REAL, conservative INT, reset INT, retain INT, adapt INT, number INT, error REAL,
    candidates INT, change REAL);
CREATE TABLE bound(counters INT, tables INT, bound REAL);

-- The document's two settings.
CREATE TABLE setting(setting, interval INT, threshold REAL);
INSERT INTO setting VALUES ('short', 10000, 1), ('long', 1000000, 0.1);

-- Without the program with phases; of these, in one of the settings; of these, with the document's
-- counters; of these, its best configuration.
CREATE VIEW real AS SELECT * FROM profile LEFT JOIN setting USING (interval, threshold)
    WHERE program IN (SELECT name FROM program WHERE NOT phases);
CREATE VIEW plain AS SELECT * FROM real WHERE counters = 2048 AND bits = 24 AND NOT adapt;
CREATE VIEW configured AS SELECT * FROM plain WHERE setting IS NOT NULL;
CREATE VIEW best AS SELECT * FROM configured
    WHERE tables = 4 AND conservative AND NOT reset AND retain;
CREATE VIEW single AS SELECT * FROM configured WHERE tables = 1 AND reset AND retain;
CREATE VIEW foreseen AS SELECT program, phases, threshold, CASE
        WHEN adapt THEN iif(interval = 100000, 'from 100K', 'auto')
        WHEN interval = 10000 THEN '10K' WHEN interval = 100000 THEN '100K' ELSE '1M' END AS length,
        foretold, full, entered * 1000000 / events AS new, error
    FROM profile JOIN program ON name = program
    WHERE detector = 'value' AND tables = 4 AND conservative AND NOT reset AND retain
        AND counters = 2048 AND bits = 24;
CREATE VIEW series AS SELECT * FROM one_interval JOIN setting USING (interval, threshold)
    WHERE counters = 2048 AND bits = 24 AND NOT adapt
        AND program IN (SELECT name FROM program WHERE NOT phases);
