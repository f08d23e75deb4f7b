import { isConflict } from '../../platform/database/sql-state.ts'
import type { Database, Queries } from '../../platform/database/database.ts'
import { toPageValues } from '../../platform/listing/page-query.ts'
import type { PageFilter } from '../../platform/listing/page-query.ts'
import type { SealedText } from '../../platform/vault/sealed-text.ts'
import type { WriteEvent } from '../../platform/write-event.ts'
import { toAgreement, toFacts, toFactValues, toStoredFacts } from './agreement-row.ts'
import type { Agreement, AgreementFacts } from './agreement.ts'
import type { NewChange, RecordedChange } from './change.ts'
import { findAgreement, findSealedAccounts, lockAgreement } from './statements/agreement-sql.ts'
import {
  addAgreement,
  changeAgreement,
  findChange,
  findNotice,
  listChanges,
} from './statements/change-sql.ts'
import { agreementListFor } from './statements/list-sql.ts'

export type NewAgreement = Omit<Agreement, 'revision' | 'pendingAmendment' | 'createdAt' | 'updatedAt'>

export interface AgreementFilter extends PageFilter {
  type: Agreement['type'] | null
}

/** Agreements in SQL. */
export interface AgreementStore {
  /** `accounts`: the debtor's and the creditor's, as `sealParties` makes them. */
  add: (agreement: NewAgreement, accounts: SealedText, change: NewChange) => Promise<Agreement>
  find: (id: string) => Promise<Agreement | null>
  /** Null for another merchant's, too. */
  findOf: (merchantId: string, id: string) => Promise<Agreement | null>
  /** As `findOf`, in a transaction: until it ends nobody else changes the agreement or locks it. */
  lock: (queries: Queries, merchantId: string, id: string) => Promise<Agreement | null>
  /**
   * Changes `facts` of an agreement as it was read, in one statement with the entry of its history, its event and its instruction.
   * Null when it has changed since, or the notice was applied already: read it again and decide again.
   */
  change: (
    agreement: Agreement,
    facts: Partial<AgreementFacts>,
    change: NewChange,
    queries?: Queries,
  ) => Promise<Agreement | null>
  list: (merchantId: string, filter: AgreementFilter) => Promise<Agreement[]>
  /** All that happened to it, oldest first. */
  history: (id: string) => Promise<RecordedChange[]>
  findChange: (id: string) => Promise<RecordedChange | null>
  isNoticeApplied: (noticeId: string) => Promise<boolean>
  /** Null when they are lost with their key. */
  accountsOf: (id: string) => Promise<SealedText | null>
}

export function createAgreementStore(database: Database, writeEvent: WriteEvent): AgreementStore {
  return { ...readingOf(database), ...historyOf(database), ...changingOf(database, writeEvent) }
}

type Reading = Pick<AgreementStore, 'find' | 'findOf' | 'lock' | 'list' | 'accountsOf'>

function readingOf(database: Database): Reading {
  const find: AgreementStore['find'] = async (id) => {
    const [row] = await database.run(findAgreement, { id })
    return row === undefined ? null : toAgreement(row)
  }
  return {
    find,
    async findOf(merchantId, id) {
      const agreement = await find(id)
      return agreement?.merchantId === merchantId ? agreement : null
    },
    async lock(queries, merchantId, id) {
      const [row] = await queries.run(lockAgreement, { id, merchant_id: merchantId })
      return row === undefined ? null : toAgreement(row)
    },
    async list(merchantId, filter) {
      const values = { merchant_id: merchantId, type: filter.type, ...toPageValues(filter) }
      return (await database.run(agreementListFor(filter), values)).map(toAgreement)
    },
    async accountsOf(id) {
      const [row] = await database.run(findSealedAccounts, { id })
      if (row === undefined) return null
      return { masterKeyId: row.master_key_id, wrappedDataKey: row.wrapped_data_key, text: row.accounts }
    },
  }
}

function historyOf(database: Database): Pick<AgreementStore, 'history' | 'findChange' | 'isNoticeApplied'> {
  return {
    history: async (id) => (await database.run(listChanges, { agreement_id: id })).map(toRecorded),
    async findChange(id) {
      const [row] = await database.run(findChange, { id })
      return row === undefined ? null : toRecorded(row)
    },
    isNoticeApplied: async (noticeId) => (await database.run(findNotice, { notice_id: noticeId })).length > 0,
  }
}

function changingOf(database: Database, writeEvent: WriteEvent): Pick<AgreementStore, 'add' | 'change'> {
  const addSql = addAgreement(writeEvent)
  const changeSql = changeAgreement(writeEvent)
  return {
    async add(agreement, accounts, change) {
      const facts = { ...agreement, pendingAmendment: null }
      const [row] = await database.run(addSql, {
        ...toGivenValues(agreement),
        ...toFactValues(facts),
        master_key_id: accounts.masterKeyId,
        wrapped_data_key: accounts.wrappedDataKey,
        accounts: accounts.text,
        ...toChangeValues(change, facts),
      })
      if (row === undefined) throw new Error('an agreement was added without a row')
      return toAgreement(row)
    },
    async change(agreement, facts, change, queries = database) {
      const next = { ...agreement, ...facts }
      const values = {
        id: agreement.id,
        revision: agreement.revision,
        ...toFactValues(next),
        amendment_required_by: next.pendingAmendment?.responseRequiredBy ?? null,
        ...toChangeValues(change, next),
      }
      const rows = await queries.run(changeSql, values).catch((error: unknown) => {
        if (isConflict(error, 'agreement_changes_by_notice')) return []
        throw error
      })
      return rows[0] === undefined ? null : toAgreement(rows[0])
    },
  }
}

function toGivenValues(agreement: NewAgreement) {
  return {
    id: agreement.id,
    merchant_id: agreement.merchantId,
    type: agreement.type,
    purpose: agreement.purpose,
    start_date: agreement.startDate,
    debtor: agreement.debtor,
    creditor: agreement.creditor,
    response_required_by: agreement.responseRequiredBy,
  }
}

function toChangeValues(
  { id, type, by, noticeId, reason, instruction, at }: NewChange,
  after: AgreementFacts,
) {
  return {
    change_id: id,
    change: type,
    by_whom: by,
    notice_id: noticeId,
    change_reason: reason,
    facts: toStoredFacts(after),
    instruction_id: instruction?.id ?? null,
    instruction: instruction?.content ?? null,
    now: at,
  }
}

function toRecorded(row: NonNullable<(typeof findChange)['row']>): RecordedChange {
  return {
    id: row.id,
    agreementId: row.agreement_id,
    revision: row.revision,
    type: row.type,
    by: row.by_whom,
    reason: row.reason,
    facts: toFacts(row.facts),
    at: row.created_at,
  }
}
