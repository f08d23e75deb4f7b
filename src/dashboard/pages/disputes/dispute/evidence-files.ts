import {
  EVIDENCE_TYPE_NAMES,
  MAX_EVIDENCE_BYTES,
  MAX_EVIDENCE_FILES,
} from '../../../../contract/api/disputes/dispute-resource.ts'
import type {
  DefenceResource,
  DefencesResource,
  DisputeDocumentResource,
  EvidenceType,
} from '../../../../contract/api/disputes/dispute-resource.ts'
import { evidenceTexts } from './texts.ts'

/** What the gateway takes as evidence. */
export type Takes = Pick<DefencesResource, 'content_types' | 'max_total_bytes'>

const { faults } = evidenceTexts

/**
 * What is wrong with a file before it is sent, in words that say what to do; null if nothing. `others`: the sizes in bytes of the
 * dispute's other files, those on their way included.
 */
export function fileFault(
  { name, type, size }: Pick<File, 'name' | 'type' | 'size'>,
  others: readonly number[],
  { content_types, max_total_bytes }: Takes,
): string | null {
  if (typeOf(type, content_types) === undefined) return faults.type(name, typesInWords(content_types))
  if (size === 0) return faults.empty(name)
  if (size > MAX_EVIDENCE_BYTES) return faults.large(name, sizeWords(size), sizeWords(MAX_EVIDENCE_BYTES))
  if (others.length >= MAX_EVIDENCE_FILES) return faults.count(String(MAX_EVIDENCE_FILES))
  const total = others.reduce((sum, one) => sum + one, size)
  return total > max_total_bytes ? faults.total(name, sizeWords(total), sizeWords(max_total_bytes)) : null
}

/** Such as "PDF, JPEG or PNG". */
export function typesInWords(types: readonly EvidenceType[]): string {
  const names = types.map((type) => EVIDENCE_TYPE_NAMES[type])
  return names.length < 2
    ? names.join('')
    : `${names.slice(0, -1).join(', ')} ${evidenceTexts.or} ${names.at(-1) ?? ''}`
}

/** One of the types that are taken; undefined for another. */
export function typeOf(type: string, taken: readonly EvidenceType[]): EvidenceType | undefined {
  return taken.find((one) => one === type)
}

/** Rounded up, so that a file above a limit never seems to have just as much. */
export function sizeWords(bytes: number): string {
  return bytes < 1_000_000
    ? `${String(Math.ceil(bytes / 1000))} kB`
    : `${String(Math.ceil(bytes / 10_000) / 100)} MB`
}

/** The most characters of a file's name that the service keeps. */
const MAX_NAME = 100
/** Control characters, and what turns the direction of a text. */
const DISORDERLY = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** A file's name as the service keeps it: in one line, shortened before its ending. */
export function keptName(name: string): string {
  const plain = name.replace(DISORDERLY, '').trim()
  const [ending = ''] = /\.\w{1,5}$/.exec(plain) ?? []
  const stem = Array.from(plain.slice(0, plain.length - ending.length))
  return plain === ''
    ? evidenceTexts.nameless
    : stem
        .slice(0, MAX_NAME - ending.length)
        .join('')
        .trimEnd() + ending
}

/** The content of a file as base64; null if the browser can't read it, as when it was moved since it was chosen. */
export function base64Of(file: Blob): Promise<string | null> {
  return new Promise((resolve) => {
    const reader = new FileReader()
    reader.onload = () => {
      const { result } = reader
      resolve(typeof result === 'string' ? result.slice(result.indexOf(',') + 1) : null)
    }
    reader.onerror = () => resolve(null)
    reader.readAsDataURL(file)
  })
}

type DocumentType = DefenceResource['documents'][number]

/** The files that are sent with a defence: those of its own documents. */
export function documentsOf<File extends Pick<DisputeDocumentResource, 'type'>>(
  { documents }: DefenceResource,
  added: readonly File[],
): readonly File[] {
  return added.filter(({ type }) => documents.some((one) => one.type === type))
}

/** The files that no defence takes. */
export function strangeIn(
  added: readonly DisputeDocumentResource[],
  defences: readonly DefenceResource[],
): readonly DisputeDocumentResource[] {
  return added.filter((one) => defences.every((defence) => documentsOf(defence, [one]).length === 0))
}

/** What a defence still needs before it can be sent: each required document, and one of those of which one is enough. */
export function missingOf(
  { documents }: DefenceResource,
  added: readonly Pick<DisputeDocumentResource, 'type'>[],
): { required: readonly DocumentType[]; oneOf: readonly DocumentType[] } {
  const isAdded = ({ type }: DocumentType) => added.some((one) => one.type === type)
  const eithers = documents.filter(({ requirement }) => requirement === 'one_or_more')
  return {
    required: documents.filter((one) => one.requirement === 'required' && !isAdded(one)),
    oneOf: eithers.some(isAdded) ? [] : eithers,
  }
}
