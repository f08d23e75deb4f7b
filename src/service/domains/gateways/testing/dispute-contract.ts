import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DisputeAnswer, Disputes, EvidenceFile } from '../gateway.ts'
import type { GatewayBed } from './gateway-bed.ts'
import type { DoubleFault } from './double-faults.ts'
import type { ReceivedRequest } from './double-server.ts'

/** Disputes at a gateway under test. */
export interface DisputeBed {
  disputes: Disputes
  /** Opens a dispute that can be answered; its id. */
  open: () => Promise<string>
  /** A defence with all that it needs: two files at the least. */
  defence: string
  documents: readonly EvidenceFile[]
  statement: string | null
  /** Whether its books have the files that came with a defence. */
  keepsFiles: boolean
  /** How a dispute stands at the gateway, by its own books. */
  standing: (
    id: string,
  ) => Promise<{ answered: 'not' | 'accepted' | 'defended'; times: number; files: Buffer[] }>
  /** Ends a dispute before it was answered. */
  end: (id: string) => unknown
  /** The next of the requests that are meant meets a fault; null of a gateway without a connection. */
  breakNext: ((fault: DoubleFault, isMeant: (request: ReceivedRequest) => boolean) => void) | null
  /** The same account where nobody listens; null of a gateway without a connection. */
  nobody: Disputes | null
  close: () => Promise<void>
}

const FAULTS: readonly DoubleFault[] = [
  ...(['silence before applying', 'silence after applying', 'reset before applying'] as const),
  ...(['reset after applying', 'error 500 before applying', 'error 500 after applying'] as const),
  ...(["another request's answer", 'rubbish', 'half an answer'] as const),
  ...(['wrong content type', 'too many requests', 'key in use'] as const),
]

/** Longer than a good answer takes, on a busy machine too. */
const patience = () => AbortSignal.timeout(5000)
/** Long enough for a request to arrive, too short for an answer that does not come. */
const soon = () => AbortSignal.timeout(700)

let last = 0
const answerId = () => (last += 1).toString(16).padStart(24, '0')
const pdf = (content: string) => Buffer.from(`%PDF-1.7\n${content}\0\xff\r\n--\r\n%%EOF\n`, 'latin1')

/** Two files of the given types, whose bytes are no text. */
export const twoFiles = (one: string, other: string): readonly EvidenceFile[] => [
  { type: one, name: 'delivery "note".pdf', contentType: 'application/pdf', content: pdf(one) },
  {
    type: other,
    name: 'letter.jpg',
    contentType: 'image/jpeg',
    content: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 13, 10, 0xff, 0xd9]),
  },
]

/** What a gateway lets be done with disputes. */
export function disputesOf({ gateway }: Pick<GatewayBed, 'gateway'>): Disputes {
  if (gateway.disputes === undefined) throw new Error('the gateway has no disputes')
  return gateway.disputes
}

/** Why something was refused, in words; of any other answer its kind. */
export function refusalIn(answer: { kind: string; message?: string }): string {
  return answer.kind === 'refused' ? (answer.message ?? '') : answer.kind
}

/** Answers disputes in every way that there is. */
export async function answerInEveryWay(
  { accept, defencesOf, defend }: Disputes,
  open: () => Promise<string>,
  defending: Pick<DisputeBed, 'defence' | 'documents' | 'statement'>,
): Promise<void> {
  const [disputeId, signal] = [await open(), patience()]
  await defencesOf({ disputeId, reason: null, signal })
  await accept({ disputeId, answerId: answerId(), signal })
  await accept({ disputeId, answerId: answerId(), signal })
  await defend({ disputeId: await open(), answerId: answerId(), signal, ...defending })
}

/** The tests that every gateway's `disputes` pass. */
export function testDisputeContract(
  name: string,
  openBed: () => Promise<DisputeBed>,
  { hasConnection = true } = {},
): void {
  describe(`${name}, where a card holder has disputed,`, () => {
    let bed: DisputeBed
    beforeAll(async () => {
      bed = await openBed()
    })
    afterAll(() => bed.close())
    for (const { rule, check } of rules) it(rule, () => check(bed))
    if (!hasConnection) return
    it.each(FAULTS)('accepts once, though its answer meets: %s', (fault) => acceptThrough(bed, fault))
    it.each(FAULTS.flatMap((fault) => [1, 2, 3].map((step) => [fault, step] as const)))(
      'defends once, though it meets: %s, at request %d',
      (fault, step) => defendThrough(bed, fault, step),
    )
  })
}

/** Something that holds for every gateway. */
interface Rule {
  rule: string
  check: (bed: DisputeBed) => Promise<void>
}

const accept = ({ disputes }: DisputeBed, id: string, answer = answerId(), signal = patience()) =>
  disputes.accept({ disputeId: id, answerId: answer, signal })

const defend = (bed: DisputeBed, id: string, answer = answerId(), signal = patience()) => {
  const { disputes, defence, documents, statement } = bed
  return disputes.defend({ disputeId: id, answerId: answer, signal, defence, documents, statement })
}

const contentsIn = ({ documents, keepsFiles }: DisputeBed) =>
  keepsFiles ? documents.map(({ content }) => content) : []

const rules: readonly Rule[] = [
  {
    rule: 'names each way to defend it, with the documents that it takes',
    async check(bed) {
      const disputeId = await bed.open()
      const answer = await bed.disputes.defencesOf({ disputeId, reason: null, signal: patience() })
      if (answer.kind !== 'known') throw new Error(answer.kind)
      const types = answer.defences.find(({ code }) => code === bed.defence)?.documents.map((one) => one.type)
      for (const { type } of bed.documents) expect(types).toContain(type)
      for (const { description, documents } of answer.defences)
        for (const words of [description, ...documents.map((one) => one.description)])
          expect(words).toMatch(/^[A-Z].*[^.]$/)
      expect(bed.disputes.takes.contentTypes).toContain('application/pdf')
    },
  },
  {
    rule: 'takes that it is accepted, and the same again',
    async check(bed) {
      const id = await bed.open()
      const answer = answerId()
      expect(await accept(bed, id, answer)).toEqual({ kind: 'taken' })
      expect(await accept(bed, id, answer)).toEqual({ kind: 'taken' })
      expect(await bed.standing(id)).toMatchObject({ answered: 'accepted', times: 1 })
    },
  },
  {
    rule: 'takes a defence with its files to the byte, and the same again',
    async check(bed) {
      const id = await bed.open()
      const answer = answerId()
      expect(await defend(bed, id, answer)).toEqual({ kind: 'taken' })
      expect(await defend(bed, id, answer)).toEqual({ kind: 'taken' })
      expect(await bed.standing(id)).toEqual({ answered: 'defended', times: 1, files: contentsIn(bed) })
    },
  },
  {
    rule: 'refuses in words what comes too late, or is about no dispute',
    async check(bed) {
      const [accepted, defended, ended] = [await bed.open(), await bed.open(), await bed.open()]
      await accept(bed, accepted)
      await defend(bed, defended)
      await bed.end(ended)
      for (const refused of [
        await defend(bed, accepted),
        await accept(bed, defended),
        await defend(bed, ended),
        await accept(bed, 'neverHeardOf'),
        await defend(bed, 'neverHeardOf'),
      ]) {
        expect(refusalIn(refused)).toMatch(/\w.{10}/)
        expect(refusalIn(refused)).not.toMatch(/api.key=|sk_test/)
      }
      expect(await bed.standing(accepted)).toMatchObject({ answered: 'accepted', times: 1 })
      expect(await bed.standing(defended)).toMatchObject({ answered: 'defended', times: 1 })
    },
  },
  {
    rule: 'says so if nothing was sent, where nobody listens',
    async check(bed) {
      if (bed.nobody === null) return
      const there = { ...bed, disputes: bed.nobody }
      expect(await accept(there, 'any')).toEqual({ kind: 'unreachable' })
      expect(await defend(there, 'any')).toEqual({ kind: 'unreachable' })
    },
  },
  {
    rule: 'stops waiting when it is told to, and never throws',
    async check(bed) {
      const disputeId = await bed.open()
      const signal = AbortSignal.abort()
      const { kind } = await accept(bed, disputeId, answerId(), signal)
      expect(['unreachable', 'taken', 'refused']).toContain(kind)
      await expect(bed.disputes.defencesOf({ disputeId, reason: null, signal })).resolves.toBeDefined()
    },
  },
]

async function acceptThrough(bed: DisputeBed, fault: DoubleFault): Promise<void> {
  if (bed.breakNext === null) return
  const [id, answer] = [await bed.open(), answerId()]
  await insist(bed.breakNext, fault, 1, (signal) => accept(bed, id, answer, signal))
  expect(await bed.standing(id)).toMatchObject({ answered: 'accepted', times: 1 })
}

async function defendThrough(bed: DisputeBed, fault: DoubleFault, step: number): Promise<void> {
  if (bed.breakNext === null) return
  const [id, answer] = [await bed.open(), answerId()]
  await insist(bed.breakNext, fault, step, (signal) => defend(bed, id, answer, signal))
  expect(await bed.standing(id)).toEqual({ answered: 'defended', times: 1, files: contentsIn(bed) })
}

/** Sends an answer whose request number `step` meets a fault, then the same once more unless it was taken. */
async function insist(
  breakNext: NonNullable<DisputeBed['breakNext']>,
  fault: DoubleFault,
  step: number,
  send: (signal: AbortSignal) => Promise<DisputeAnswer>,
): Promise<void> {
  let seen = 0
  breakNext(fault, () => (seen += 1) === step)
  const first = await send(soon())
  expect(['taken', 'unknown', 'unreachable']).toContain(first.kind)
  if (first.kind !== 'taken') expect(await send(patience())).toEqual({ kind: 'taken' })
  expect(seen).toBeGreaterThanOrEqual(step)
}
