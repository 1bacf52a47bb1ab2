-- The store, schema 1 (PRAGMA user_version). A change gets a new number and a migration in schema.cc; this file always
-- holds the newest schema whole, and a fresh store is made from it.

CREATE TABLE runs (
  name          TEXT PRIMARY KEY,
  created       TEXT NOT NULL,            -- UTC, ISO 8601
  specification TEXT NOT NULL,            -- TOML, as the user wrote it
  plan          TEXT NOT NULL,            -- JSON: [{"task":"level1/1","sample":0},...]
  state         TEXT NOT NULL CHECK (state IN ('running', 'finished'))
) STRICT, WITHOUT ROWID;

-- An LM's answers. One per planned (task, sample); a new answer replaces the old one.
CREATE TABLE generations (
  run               TEXT NOT NULL REFERENCES runs (name),
  task_id           TEXT NOT NULL,
  sample            INTEGER NOT NULL,
  model             TEXT NOT NULL,
  answer            TEXT NOT NULL,
  prompt_tokens     INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL,
  latency_s         REAL NOT NULL,
  PRIMARY KEY (run, task_id, sample)
) STRICT;

-- Sources, each once, however many records it has.
CREATE TABLE candidates (
  sha256 TEXT PRIMARY KEY,
  source TEXT NOT NULL
) STRICT;

-- `json` is the record (docs/formats.md); the other columns repeat what queries need.
CREATE TABLE records (
  id               TEXT PRIMARY KEY,
  run              TEXT REFERENCES runs (name),           -- NULL: a single `eval`
  task_id          TEXT NOT NULL,
  task_level       INTEGER NOT NULL,
  sample           INTEGER,
  candidate_sha256 TEXT REFERENCES candidates (sha256),   -- NULL: nothing was extracted
  outcome          TEXT,
  fault            TEXT,
  speedup          REAL,                                  -- NULL: not timed
  created          TEXT NOT NULL,                         -- UTC, ISO 8601
  json             TEXT NOT NULL,
  CHECK ((outcome IS NULL) <> (fault IS NULL))
) STRICT;

CREATE INDEX records_of_run ON records (run);
