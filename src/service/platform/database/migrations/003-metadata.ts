/**
 * Words of a merchant's own on charges and checkouts. `edits`: the changes of a charge's words, each with the id of its event and its
 * time. `charge_metadata` has a row for each text of a charge's metadata, by a hash of name and text: its key lists a merchant's charges
 * with one text in the order of lists, however many there are, and charges without metadata write nothing to it.
 */
export const metadata = `
ALTER TABLE charges
  ADD COLUMN statement_descriptor text,
  ADD COLUMN metadata jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN edits jsonb NOT NULL DEFAULT '[]';
ALTER TABLE checkout_intents
  ADD COLUMN statement_descriptor text,
  ADD COLUMN metadata jsonb NOT NULL DEFAULT '{}';
CREATE TABLE charge_metadata (
  merchant_id text NOT NULL,
  pair bigint NOT NULL,
  created_at timestamptz(3) NOT NULL,
  charge_id text NOT NULL,
  PRIMARY KEY (merchant_id, pair, created_at, charge_id)
);
`
