import {
  bool,
  bytea,
  integer,
  jsonb,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../../platform/database/sql-types.ts'
import type { SqlTypes } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { WriteEvent } from '../../../platform/write-event.ts'
import { agreementColumns, factColumns, givenColumns } from '../agreement-row.ts'
import type { StoredFacts } from '../agreement-row.ts'
import type { AgreementChange, Party, Reason } from '../agreement.ts'
import { columns, laterThan } from './agreement-sql.ts'

/** What is written with each change: its entry of the history, its event, and what the network is to be told. */
const changeTypes = {
  change_id: text,
  change: textOf<AgreementChange>(),
  by_whom: textOf<Party>(),
  notice_id: nullable(text),
  change_reason: nullable(jsonb<Reason>()),
  facts: jsonb<StoredFacts>(),
  instruction_id: nullable(text),
  instruction: nullable(jsonb()),
  now: timestamptz,
}

/** The rest of a statement whose first part, `changed`, returns the agreement's row: nothing, where that has no row. */
const withTraces = (writeEvent: WriteEvent): string => `
  noted AS (
    INSERT INTO agreement_changes (id, agreement_id, revision, type, by_whom, notice_id, reason, facts, created_at)
    SELECT :change_id, id, revision, :change, :by_whom, :notice_id, :change_reason, :facts, updated_at FROM changed
  ), instructed AS (
    INSERT INTO network_instructions (id, agreement_id, merchant_id, revision, content, next_at, created_at)
    SELECT :instruction_id, id, merchant_id, revision, :instruction, :now, :now FROM changed
    WHERE :instruction_id::text IS NOT NULL
  ), event AS (${writeEvent({
    id: ':change_id',
    merchant: 'merchant_id',
    type: "'agreement.' || :change::text",
    subject: 'id',
    actor: "CASE :by_whom WHEN 'creditor' THEN 'merchant' ELSE :by_whom END",
    facts: "jsonb_build_object('status', status, 'version', version, 'revision', revision)",
    from: 'changed',
  })})
  SELECT ${columns} FROM changed`

const listed = (types: SqlTypes, toText: (name: string) => string): string =>
  Object.keys(types).map(toText).join(', ')

const sealedTypes = { master_key_id: text, wrapped_data_key: bytea, accounts: bytea }
const addedTypes = { ...givenColumns, ...factColumns, ...sealedTypes }

export const addAgreement = (writeEvent: WriteEvent) =>
  statement({
    name: 'add_agreement',
    values: { ...addedTypes, ...changeTypes },
    columns: agreementColumns,
    sql: `
      WITH changed AS (
        INSERT INTO agreements
          (${listed(addedTypes, String)}, amendment_required_by, revision, created_at, updated_at)
        VALUES (${listed(addedTypes, (name) => `:${name}`)}, NULL, 0, :now, :now)
        RETURNING ${columns}
      ), ${withTraces(writeEvent)}`,
  })

/** No row when the agreement has changed since it was read with this revision. */
export const changeAgreement = (writeEvent: WriteEvent) =>
  statement({
    name: 'change_agreement',
    values: {
      id: text,
      revision: integer,
      ...factColumns,
      amendment_required_by: nullable(timestamptz),
      ...changeTypes,
    },
    columns: agreementColumns,
    sql: `
      WITH changed AS (
        UPDATE agreements
        SET ${listed(factColumns, (name) => `${name} = :${name}`)}, amendment_required_by = :amendment_required_by,
            revision = revision + 1, updated_at = ${laterThan('updated_at')}
        WHERE id = :id AND revision = :revision
        RETURNING ${columns}
      ), ${withTraces(writeEvent)}`,
  })

const changeColumns = {
  id: text,
  agreement_id: text,
  revision: integer,
  type: textOf<AgreementChange>(),
  by_whom: textOf<Party>(),
  reason: nullable(jsonb<Reason>()),
  facts: jsonb<StoredFacts>(),
  created_at: timestamptz,
}

/** All that happened to an agreement, oldest first. */
export const listChanges = statement({
  name: 'list_agreement_changes',
  values: { agreement_id: text },
  columns: changeColumns,
  sql: `
    SELECT ${listed(changeColumns, String)} FROM agreement_changes WHERE agreement_id = :agreement_id ORDER BY revision`,
})

export const findChange = statement({
  name: 'find_agreement_change',
  values: { id: text },
  columns: changeColumns,
  sql: `SELECT ${listed(changeColumns, String)} FROM agreement_changes WHERE id = :id`,
})

export const findNotice = statement({
  name: 'find_applied_notice',
  values: { notice_id: text },
  columns: { is_applied: bool },
  sql: 'SELECT true AS is_applied FROM agreement_changes WHERE notice_id = :notice_id',
})
