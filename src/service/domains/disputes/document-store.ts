import type { EvidenceType } from '../../../contract/api/disputes/dispute-resource.ts'
import type { Database, Queries } from '../../platform/database/database.ts'
import { arrayOf, bytea, integer, text, textOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import { batchColumns, batchOf, countIn } from '../../platform/jobs/batches.ts'
import type { SealedText } from '../../platform/vault/vault.ts'
import type { KeyTable } from '../../platform/vault/wrapped-keys.ts'
import type { Dispute, KeptDocument } from './dispute.ts'

/** The data keys of these files. If a master key is lost, the merchant adds its files anew. */
export const documentKeys: KeyTable = {
  of: 'files of disputes',
  table: 'dispute_documents',
  id: 'id',
  idType: 'text',
  merchantId: 'merchant_id',
  name: 'id',
  placeOf: ({ name }) => placeOfDocument(name),
  isNeeded: 'true',
}

export const placeOfDocument = (id: string): string => `dispute-documents/${id}`

/** Keeps a file. One of the same type has to be taken away before. */
export async function writeDocument(
  queries: Queries,
  dispute: Pick<Dispute, 'id' | 'merchantId'>,
  document: Omit<KeptDocument, 'createdAt'>,
  sealed: SealedText,
): Promise<void> {
  await queries.run(insertDocument, {
    id: document.id,
    dispute_id: dispute.id,
    merchant_id: dispute.merchantId,
    type: document.type,
    name: document.name,
    content_type: document.contentType,
    size: document.size,
    master_key_id: sealed.masterKeyId,
    wrapped_data_key: sealed.wrappedDataKey,
    content: sealed.text,
  })
}

/** The sealed contents of these files of a dispute, by their ids. */
export async function findContents(
  queries: Queries,
  disputeId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SealedText>> {
  const rows = await queries.run(selectContents, { dispute_id: disputeId, ids })
  return new Map(
    rows.map(({ id, master_key_id: masterKeyId, wrapped_data_key: wrappedDataKey, content }) => [
      id,
      { masterKeyId, wrappedDataKey, text: content },
    ]),
  )
}

/** Takes a file away: it is deleted, or stays as a past one where it has been sent before. */
export async function takeDocumentAway(
  queries: Queries,
  disputeId: string,
  { id, isKept }: { id: string; isKept: boolean },
): Promise<void> {
  await queries.run(isKept ? putDocumentAside : deleteDocument, { dispute_id: disputeId, id })
}

/** Deletes some files that are 18 months old; returns how many. */
export async function forgetDocuments(database: Database): Promise<number> {
  return countIn(await database.run(deleteOldDocuments, {}))
}

const insertDocument = statement({
  name: 'write_dispute_document',
  values: {
    id: text,
    dispute_id: text,
    merchant_id: text,
    type: text,
    name: text,
    content_type: textOf<EvidenceType>(),
    size: integer,
    master_key_id: text,
    wrapped_data_key: bytea,
    content: bytea,
  },
  columns: {},
  sql: `
    INSERT INTO dispute_documents (id, dispute_id, merchant_id, type, name, content_type, size, master_key_id, wrapped_data_key, content)
    VALUES (:id, :dispute_id, :merchant_id, :type, :name, :content_type, :size, :master_key_id, :wrapped_data_key, :content)`,
})

const selectContents = statement({
  name: 'read_dispute_documents',
  values: { dispute_id: text, ids: arrayOf(text) },
  columns: { id: text, master_key_id: text, wrapped_data_key: bytea, content: bytea },
  sql: `
    SELECT id, master_key_id, wrapped_data_key, content FROM dispute_documents
    WHERE dispute_id = :dispute_id AND id = ANY (:ids)`,
})

const deleteDocument = statement({
  name: 'remove_dispute_document',
  values: { dispute_id: text, id: text },
  columns: {},
  sql: 'DELETE FROM dispute_documents WHERE dispute_id = :dispute_id AND id = :id',
})

const putDocumentAside = statement({
  name: 'put_dispute_document_aside',
  values: { dispute_id: text, id: text },
  columns: {},
  sql: 'UPDATE dispute_documents SET past_at = clock_timestamp() WHERE dispute_id = :dispute_id AND id = :id',
})

/** By then no scheme takes anything more in a dispute. */
const deleteOldDocuments = statement({
  name: 'forget_dispute_documents',
  values: {},
  columns: batchColumns,
  sql: batchOf({
    change: 'DELETE FROM dispute_documents',
    found: "dispute_documents WHERE created_at <= now() - interval '540 days'",
    order: 'created_at',
    key: 'id',
  }),
})
