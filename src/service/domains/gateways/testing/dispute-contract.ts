import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Disputes, EvidenceFile } from '../gateway.ts'
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
  /** How a dispute stands at the gateway, by its own books. */
  standing: (
    id: string,
  ) => Promise<{ answered: 'not' | 'accepted' | 'defended'; times: number; files: Buffer[] }>
  /** Ends a dispute before it was answered. */
  end: (id: string) => Promise<void>
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
export function testDisputeContract(name: string, openBed: () => Promise<DisputeBed>): void {
  describe(`${name}, where a card holder has disputed,`, () => {
    let bed: DisputeBed
    beforeAll(async () => {
      bed = await openBed()
    })
    afterAll(() => bed.close())

    const accept = (id: string, answer = answerId(), signal = patience()) =>
      bed.disputes.accept({ disputeId: id, answerId: answer, signal })
    const defend = (id: string, answer = answerId(), signal = patience()) => {
      const { defence, documents, statement } = bed
      return bed.disputes.defend({ disputeId: id, answerId: answer, signal, defence, documents, statement })
    }
    const contents = () => bed.documents.map(({ content }) => content)

    it('names each way to defend it, with the documents that it takes', async () => {
      const disputeId = await bed.open()
      const answer = await bed.disputes.defencesOf({ disputeId, reason: null, signal: patience() })
      if (answer.kind !== 'known') throw new Error(answer.kind)
      const found = answer.defences.find(({ code }) => code === bed.defence)
      expect(found?.documents.map(({ type }) => type)).toEqual(
        expect.arrayContaining(bed.documents.map(({ type }) => type)),
      )
      for (const { description, documents } of answer.defences)
        for (const words of [description, ...documents.map((one) => one.description)])
          expect(words).toMatch(/^[A-Z].*[^.]$/)
      expect(bed.disputes.takes.contentTypes).toContain('application/pdf')
    })

    it('takes that it is accepted, and the same again', async () => {
      const id = await bed.open()
      const answer = answerId()
      expect(await accept(id, answer)).toEqual({ kind: 'taken' })
      expect(await accept(id, answer)).toEqual({ kind: 'taken' })
      expect(await bed.standing(id)).toMatchObject({ answered: 'accepted', times: 1 })
    })

    it('takes a defence with its files to the byte, and the same again', async () => {
      const id = await bed.open()
      const answer = answerId()
      expect(await defend(id, answer)).toEqual({ kind: 'taken' })
      expect(await defend(id, answer)).toEqual({ kind: 'taken' })
      expect(await bed.standing(id)).toEqual({ answered: 'defended', times: 1, files: contents() })
    })

    it('refuses in words what comes too late, or is about no dispute', async () => {
      const [accepted, defended, ended] = [await bed.open(), await bed.open(), await bed.open()]
      await accept(accepted)
      await defend(defended)
      await bed.end(ended)
      for (const refused of [
        await defend(accepted),
        await accept(defended),
        await defend(ended),
        await accept('neverHeardOf'),
        await defend('neverHeardOf'),
      ]) {
        expect(refused).toMatchObject({ kind: 'refused', message: expect.stringMatching(/\w.{10}/) })
        expect(JSON.stringify(refused)).not.toMatch(/right|api.key=|sk_test/)
      }
      expect(await bed.standing(accepted)).toMatchObject({ answered: 'accepted', times: 1 })
      expect(await bed.standing(defended)).toMatchObject({ answered: 'defended', times: 1 })
    })

    it('says so if nothing was sent, where nobody listens', async () => {
      const { nobody, defence, documents, statement } = bed
      if (nobody === null) return
      const request = { disputeId: 'any', answerId: answerId(), signal: patience() }
      const answers = [
        await nobody.accept(request),
        await nobody.defend({ ...request, defence, documents, statement }),
      ]
      expect(answers).toEqual([{ kind: 'unreachable' }, { kind: 'unreachable' }])
    })

    it('stops waiting when it is told to, and never throws', async () => {
      const id = await bed.open()
      const stopped = AbortSignal.abort()
      expect(['unreachable', 'taken', 'refused']).toContain((await accept(id, answerId(), stopped)).kind)
      await expect(
        bed.disputes.defencesOf({ disputeId: id, reason: null, signal: stopped }),
      ).resolves.toBeDefined()
    })

    /** Sends an answer whose request number `step` meets a fault, then the same until it is taken. */
    async function insist(
      fault: DoubleFault,
      step: number,
      send: (signal: AbortSignal) => ReturnType<typeof accept>,
    ) {
      let seen = 0
      bed.breakNext?.(fault, () => (seen += 1) === step)
      const first = await send(soon())
      expect(['taken', 'unknown', 'unreachable']).toContain(first.kind)
      const second = first.kind === 'taken' ? first : await send(patience())
      expect(second).toEqual({ kind: 'taken' })
    }

    it.each(FAULTS)('accepts once, though its answer meets: %s', async (fault) => {
      if (bed.breakNext === null) return
      const id = await bed.open()
      const answer = answerId()
      await insist(fault, 1, (signal) => accept(id, answer, signal))
      expect(await bed.standing(id)).toMatchObject({ answered: 'accepted', times: 1 })
    })

    it.each(FAULTS.flatMap((fault) => [1, 2, 3].map((step) => [fault, step] as const)))(
      'defends once, though it meets: %s, at request %d',
      async (fault, step) => {
        if (bed.breakNext === null) return
        const id = await bed.open()
        const answer = answerId()
        await insist(fault, step, (signal) => defend(id, answer, signal))
        expect(await bed.standing(id)).toEqual({ answered: 'defended', times: 1, files: contents() })
      },
    )
  })
}
