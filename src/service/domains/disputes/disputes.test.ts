import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as v from 'valibot'
import { DefencesResource, DisputeResource } from '../../../contract/api/disputes/dispute-resource.ts'
import { chargeCalls, sendWithKeys } from '../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../testing/charge-calls.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { Answer, TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { disputedCharge, hearCardHolders } from './testing/disputed-charge.ts'

let service: TestService
let calls: ChargeCalls
let send: ReturnType<typeof sendWithKeys>
beforeAll(async () => {
  service = await createTestService()
  calls = chargeCalls(service)
  send = sendWithKeys(service)
})
afterAll(() => service.close())

const eventsOf = testStatement<{ id: string; type: string; actor: string }>(
  't_events_of_dispute',
  'SELECT id, type, actor FROM event_outbox WHERE subject = $1 ORDER BY created_at, id',
)
const letDeadlineCome = testStatement(
  't_dispute_deadline',
  "UPDATE disputes SET remind_at = now() - interval '1 second' WHERE id = $1",
)
const letTimePass = testStatement(
  't_dispute_long_ago',
  `UPDATE dispute_changes SET created_at = now() - interval '1 day',
          entry = jsonb_set(entry, '{happening,respondBy}', to_jsonb(now() - interval '1 second'))
   WHERE dispute_id = $1 AND entry ->> 'change' = 'opened'`,
)
const holdCharge = testStatement('t_hold_charge', 'SELECT id FROM charges WHERE id = $1 FOR NO KEY UPDATE')
const letItGoOn = testStatement(
  't_dispute_goes_on',
  `UPDATE dispute_changes SET entry = jsonb_set(entry, '{happening,stage}', '"chargeback"') WHERE dispute_id = $1`,
)
const chargeBack = testStatement(
  't_charge_back',
  `UPDATE charges SET dispute_sums = dispute_sums || jsonb_build_array(jsonb_build_object(
     'disputed', amount, 'charged_back', amount, 'at', now()::timestamptz(3))) WHERE id = $1`,
)
const breakHistory = testStatement(
  't_break_history',
  `UPDATE dispute_changes SET entry = entry - 'happening' || jsonb_build_object('kept', entry -> 'happening') WHERE dispute_id = $1`,
)
const mendHistory = testStatement(
  't_mend_history',
  `UPDATE dispute_changes SET entry = entry - 'kept' || jsonb_build_object('happening', entry -> 'kept') WHERE dispute_id = $1`,
)
/** The sandbox takes an answer, and its process is killed before it says so. */
const takeAnswer = testStatement(
  't_take_answer',
  "UPDATE sandbox_gateway.disputes SET step = 'defended', answer_id = 'lost' WHERE id = $1",
)
const sealedFiles = testStatement<{ content: Buffer }>(
  't_sealed_files',
  'SELECT content FROM dispute_documents WHERE dispute_id = $1',
)

const goOn = (options?: { untilTooLate: boolean }) => hearCardHolders(service, options)
const sendAnswers = async () => {
  await service.runJob('send answers to disputes')
  await service.jobs.find(({ name }) => name === 'send answers to disputes')?.finish?.()
}

const disputeIn = ({ body }: Answer) => v.parse(DisputeResource, body.resource.data)
const read = async (id: string) => disputeIn(await send('GET', `/v1/disputes/${id}`))
const typesOf = async (id: string) =>
  (await service.database.run(eventsOf, [id])).map(({ type, actor }) => `${type} by ${actor}`)

/** A charge of which the sandbox's card holder disputes the amount. */
async function disputed(amount: string) {
  const charge = await disputedCharge(service, amount)
  const listed = await send('GET', `/v1/disputes?charge_id=${charge._id}`)
  const [dispute] = v.parse(v.array(DisputeResource), listed.body.resource.data)
  if (dispute === undefined) throw new Error('the card holder has not disputed it')
  return { charge, dispute }
}

const pdf = Buffer.from('%PDF-1.4\nsigned by the neighbour\n%%EOF\n').toString('base64')
const proof = {
  type: 'proof_of_delivery',
  name: 'delivery.pdf',
  content_type: 'application/pdf',
  content: pdf,
}
const addProof = (id: string, change: Partial<typeof proof> = {}) =>
  send('POST', `/v1/disputes/${id}/documents`, { ...proof, ...change })
const defend = (id: string, more: object = {}) =>
  send('POST', `/v1/disputes/${id}/defend`, { defence: 'goods_or_services_provided', ...more })

describe('a dispute', () => {
  it('is opened by the gateway’s news, and its charge says so', async () => {
    const { charge, dispute } = await disputed('9000.41')
    expect(dispute).toMatchObject({
      charge_id: charge._id,
      status: 'needs_response',
      stage: 'chargeback',
      amount: 9000.41,
      funds_withdrawn: true,
      reason: { category: 'not_received', code: '13.1' },
      actions: ['accept', 'defend'],
      answer: null,
    })
    expect((await calls.read(charge._id)).statistics).toMatchObject({
      total_disputed_amount: 9000.41,
      total_charged_back_amount: 9000.41,
    })
    expect(await typesOf(dispute._id)).toEqual(['dispute.opened by gateway'])
  })

  it('is defended with documents, and won: the money comes back', async () => {
    const { charge, dispute } = await disputed('9000.41')
    expect((await defend(dispute._id)).body.error).toMatchObject({ code: 'validation_error' })
    expect((await addProof(dispute._id)).status).toBe(201)
    const defences = v.parse(
      DefencesResource,
      (await send('GET', `/v1/disputes/${dispute._id}/defences`)).body.resource.data,
    )
    expect(defences.defences.map((one) => one.is_ready)).toEqual([true, false])
    const both = disputeIn(
      await send('POST', `/v1/disputes/${dispute._id}/documents`, { ...proof, type: 'refund_receipt' }),
    )
    const answered = await defend(dispute._id)
    expect(answered.status).toBe(202)
    // The receipt belongs to the other defence, and is not sent.
    const sent = both.documents.filter(({ type }) => type === 'proof_of_delivery').map(({ _id }) => _id)
    expect(disputeIn(answered)).toMatchObject({
      answer: {
        ...{ action: 'defend', state: 'sending', documents: sent },
        defence_description: defences.defences[0]?.description,
      },
      actions: [],
    })
    await sendAnswers()
    expect(await read(dispute._id)).toMatchObject({ status: 'under_review', answer: { state: 'sent' } })
    await goOn()
    expect(await read(dispute._id)).toMatchObject({ status: 'won', funds_withdrawn: false })
    expect((await calls.read(charge._id)).statistics).toMatchObject({
      total_disputed_amount: 0,
      total_charged_back_amount: 0,
    })
    expect(await typesOf(dispute._id)).toEqual([
      'dispute.opened by gateway',
      'dispute.under_review by merchant',
      'dispute.won by gateway',
    ])
  })

  it('is lost although it was defended, or where nobody answered', async () => {
    const { dispute } = await disputed('9000.42')
    await addProof(dispute._id)
    await defend(dispute._id)
    await sendAnswers()
    await goOn()
    expect(await read(dispute._id)).toMatchObject({ status: 'lost', funds_withdrawn: true, actions: [] })
    const { dispute: forgotten } = await disputed('9000.45')
    await goOn({ untilTooLate: true })
    expect(await read(forgotten._id)).toMatchObject({ status: 'lost', answer: null })
  })

  it('is accepted: the card holder keeps the money, and a refund is refused', async () => {
    const { charge, dispute } = await disputed('9000.41')
    expect((await send('POST', `/v1/disputes/${dispute._id}/accept`)).status).toBe(202)
    await sendAnswers()
    await goOn()
    expect(await read(dispute._id)).toMatchObject({ status: 'accepted', funds_withdrawn: true, actions: [] })
    const refund = await calls.refund(charge._id, { amount: '1.00' })
    expect(refund.body.error?.code).toBe('unfulfilled_condition')
    expect(refund.body.error?.message).toContain('would pay it twice. At most 0.00 can still be refunded')
  })

  it('comes back once more after it was won, and is defended again', async () => {
    const { dispute } = await disputed('9000.44')
    for (const status of ['needs_response', 'won']) {
      await addProof(dispute._id)
      expect((await defend(dispute._id)).status).toBe(202)
      await sendAnswers()
      await goOn()
      await goOn()
      expect(await read(dispute._id)).toMatchObject({ stage: 'second_chargeback', status })
    }
    expect(await typesOf(dispute._id)).toEqual([
      'dispute.opened by gateway',
      'dispute.under_review by merchant',
      'dispute.won by gateway',
      'dispute.reopened by gateway',
      'dispute.under_review by merchant',
      'dispute.won by gateway',
    ])
  })

  it('keeps what was answered before it came back, with the files as they were sent', async () => {
    const { dispute } = await disputed('9000.44')
    const url = `/v1/disputes/${dispute._id}`
    await addProof(dispute._id, { name: 'first.pdf' })
    const statement = 'It came on Monday.'
    const answered = disputeIn(await defend(dispute._id, { statement }))
    expect(answered.earlier_answers).toEqual([])
    await sendAnswers()
    await goOn()
    await goOn()
    const again = await read(dispute._id)
    expect([again.answer, again.documents.map(({ name }) => name)]).toEqual([null, ['first.pdf']])
    const [first] = answered.documents
    const before = { ...answered.answer, stage: 'chargeback', state: 'sent', documents: [first] }
    expect(again.earlier_answers).toEqual([before])
    await addProof(dispute._id, { name: 'second.pdf' })
    const replaced = await read(dispute._id)
    expect(replaced.documents.map(({ name }) => name)).toEqual(['second.pdf'])
    expect(replaced.earlier_answers).toEqual([before])
    const file = `${url}/documents/${String(first?._id)}`
    expect((await service.raw({ url: file, headers: calls.secret() })).rawPayload.toString('base64')).toBe(
      pdf,
    )
    expect((await send('DELETE', file)).body.error?.code).toBe('unfulfilled_condition')
    for (const { _id } of replaced.documents) await send('DELETE', `${url}/documents/${_id}`)
    await addProof(dispute._id, { name: 'third.pdf' })
    expect((await defend(dispute._id)).status).toBe(202)
    await sendAnswers()
    const { answer, earlier_answers } = await read(dispute._id)
    expect([answer?.state, answer?.statement, earlier_answers]).toEqual(['sent', null, [before]])
  })

  it('is not defended with other files than those that the merchant names', async () => {
    const { dispute } = await disputed('9000.41')
    const seen = disputeIn(await addProof(dispute._id)).documents.map(({ _id }) => _id)
    const now = disputeIn(await addProof(dispute._id, { name: 'other.pdf' })).documents.map(({ _id }) => _id)
    const refused = await defend(dispute._id, { documents: seen })
    expect([refused.status, refused.body.error?.code]).toEqual([412, 'precondition_failed'])
    expect((await defend(dispute._id, { documents: [] })).status).toBe(412)
    expect((await read(dispute._id)).answer).toBeNull()
    expect((await defend(dispute._id, { documents: now })).status).toBe(202)
  })

  it('that went on before its answer was confirmed does not say that the answer was refused', async () => {
    const { dispute } = await disputed('9000.44')
    await addProof(dispute._id)
    await defend(dispute._id)
    await service.database.run(takeAnswer, [dispute.external_id])
    await goOn()
    await goOn()
    await sendAnswers()
    const { stage, actions, history } = await read(dispute._id)
    expect([stage, actions]).toEqual(['second_chargeback', ['accept', 'defend']])
    expect(history.at(-1)?.description).toBe(
      'The dispute went on before the gateway had confirmed the answer.',
    )
  })

  it('that becomes a chargeback while an inquiry is accepted is not accepted by that', async () => {
    const { charge, dispute } = await disputed('9000.43')
    const accepted = await service.database.transaction(async (queries) => {
      await queries.run(holdCharge, [charge._id])
      const answer = send('POST', `/v1/disputes/${dispute._id}/accept`)
      await new Promise((done) => setTimeout(done, 200))
      await queries.run(letItGoOn, [dispute._id])
      return [answer]
    })
    const [answer] = await Promise.all(accepted)
    expect([answer?.status, answer?.body.error?.code]).toEqual([422, 'unfulfilled_condition'])
    expect(answer?.body.error?.message).toContain('has gone on to another stage')
    expect((await read(dispute._id)).answer).toBeNull()
  })

  it('of an inquiry moves no money', async () => {
    const { charge, dispute } = await disputed('9000.43')
    expect(dispute).toMatchObject({ stage: 'inquiry', funds_withdrawn: false })
    expect((await calls.refund(charge._id, { amount: '1.00' })).status).toBe(201)
  })

  it('that takes the money back while it is refunded is not paid twice', async () => {
    const { charge } = await disputed('9000.43')
    const refunds = await service.database.transaction(async (queries) => {
      await queries.run(holdCharge, [charge._id])
      const refund = calls.refund(charge._id, { amount: '1.00' })
      await new Promise((done) => setTimeout(done, 200))
      await queries.run(chargeBack, [charge._id])
      return [refund]
    })
    const [refund] = await Promise.all(refunds)
    expect([refund?.status, refund?.body.error?.code]).toEqual([422, 'unfulfilled_condition'])
    expect((await calls.read(charge._id)).transactions).toHaveLength(1)
  })

  it('of which a merchant can’t be reminded keeps no other from being reminded of', async () => {
    const { dispute: broken } = await disputed('9000.41')
    const { dispute } = await disputed('9000.41')
    for (const { _id } of [broken, dispute]) await service.database.run(letDeadlineCome, [_id])
    await service.database.run(breakHistory, [broken._id])
    await expect(service.runJob('remind of disputes')).rejects.toThrow()
    expect(await typesOf(dispute._id)).toContain('dispute.evidence_due by service')
    await service.database.run(mendHistory, [broken._id])
    await service.runJob('remind of disputes')
    expect(await typesOf(broken._id)).toContain('dispute.evidence_due by service')
  })

  it('reminds its merchant once before its deadline', async () => {
    const { dispute } = await disputed('9000.41')
    for (let times = 0; times < 2; times += 1) {
      await service.database.run(letDeadlineCome, [dispute._id])
      await service.runJob('remind of disputes')
    }
    expect(await typesOf(dispute._id)).toEqual([
      'dispute.opened by gateway',
      'dispute.evidence_due by service',
    ])
  })

  it('takes one of two answers that come at once', async () => {
    const { dispute } = await disputed('9000.41')
    await addProof(dispute._id)
    const accept = () => send('POST', `/v1/disputes/${dispute._id}/accept`)
    const answers = await Promise.all([accept(), defend(dispute._id), accept(), defend(dispute._id)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 422, 422, 422])
    for (const { status, body } of answers)
      if (status === 422)
        expect(body.error?.message).toMatch(/^Your team has answered .* Nothing more was sent/)
  })

  it('is answered beside more others than the database has connections', async () => {
    const charges = []
    for (let sold = 0; sold < 12; sold += 1) charges.push(await disputedCharge(service, '9000.41'))
    const open = v
      .parse(v.array(DisputeResource), (await send('GET', '/v1/disputes?limit=12')).body.resource.data)
      .map(({ _id }) => send('POST', `/v1/disputes/${_id}/accept`))
    expect((await Promise.all(open)).map(({ status }) => status)).toEqual(charges.map(() => 202))
    await sendAnswers()
    await goOn()
  })

  it('is never defended without a document that is removed at the same moment', async () => {
    for (let times = 0; times < 4; times += 1) {
      const { dispute } = await disputed('9000.41')
      const [file] = disputeIn(await addProof(dispute._id)).documents
      const url = `/v1/disputes/${dispute._id}/documents/${String(file?._id)}`
      const [answered, removed] = await Promise.all([defend(dispute._id), send('DELETE', url)])
      expect([answered.status, removed.status].filter((status) => status < 300)).toHaveLength(1)
      expect((await read(dispute._id)).documents).toHaveLength(answered.status === 202 ? 1 : 0)
    }
  })

  it('is not defended with a document of a type that its gateway does not know', async () => {
    const { dispute } = await disputed('9000.41')
    await addProof(dispute._id)
    await send('POST', `/v1/disputes/${dispute._id}/documents`, { ...proof, type: 'proof_of_delvery' })
    const { status, body } = await defend(dispute._id)
    expect([status, body.error?.details?.[0]?.message]).toEqual([
      400,
      "can't be sent while there are documents of types that no defence takes: remove delivery.pdf (proof_of_delvery)",
    ])
  })

  it('is told to a webhook as it was, with the actions of that moment', async () => {
    const { dispute } = await disputed('9000.45')
    await goOn({ untilTooLate: true })
    await service.database.run(letTimePass, [dispute._id])
    const [opened] = await service.database.run(eventsOf, [dispute._id])
    await service.runJob('seal events')
    const told = await send('GET', `/v1/events/${String(opened?.id)}`)
    expect(told.body.resource.data).toMatchObject({
      type: 'dispute.opened',
      data: { status: 'needs_response', actions: ['accept', 'defend'] },
    })
  })
})

describe('the files of a dispute', () => {
  it('are kept encrypted, one of each type, and downloaded but never shown', async () => {
    const { dispute } = await disputed('9000.41')
    await addProof(dispute._id)
    const second = disputeIn(await addProof(dispute._id))
    expect(second.documents).toHaveLength(1)
    const [file] = second.documents
    const [sealed] = await service.database.run(sealedFiles, [dispute._id])
    expect(sealed?.content.toString('latin1')).not.toContain(pdf)
    const url = `/v1/disputes/${dispute._id}/documents/${String(file?._id)}`
    const download = await service.raw({ url, headers: calls.secret() })
    expect(download.rawPayload.toString('base64')).toBe(pdf)
    expect(download.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': "attachment; filename*=UTF-8''delivery.pdf",
      'x-content-type-options': 'nosniff',
    })
    expect(disputeIn(await send('DELETE', url)).documents).toEqual([])
    expect((await service.raw({ url, headers: calls.secret() })).statusCode).toBe(404)
  })

  it('leave room for others when those who read them hang up at once', async () => {
    const { dispute } = await disputed('9000.41')
    const [file] = disputeIn(await addProof(dispute._id)).documents
    const url = `/v1/disputes/${dispute._id}/documents/${String(file?._id)}`
    const { port } = new URL(await service.app.listen({ port: 0, host: '127.0.0.1' }))
    const headers = Object.entries(calls.secret()).map(([name, value]) => `${name}: ${value}\r\n`)
    const request = `GET ${url} HTTP/1.1\r\nhost: localhost\r\n${headers.join('')}\r\n`
    for (let times = 0; times < 8; times += 1) {
      const socket = connect(Number(port), '127.0.0.1')
      socket.write(request, () => socket.destroy())
      await once(socket, 'close')
    }
    await expect.poll(async () => (await service.raw({ url, headers: calls.secret() })).statusCode).toBe(200)
  })

  it('have names of their own, which every reader of a header understands', async () => {
    const { dispute } = await disputed('9000.41')
    const url = `/v1/disputes/${dispute._id}/documents`
    const added = disputeIn(await send('POST', url, { ...proof, name: "O'Brien’s receipt (1)*.pdf" }))
    const file = `${url}/${String(added.documents[0]?._id)}`
    const { headers } = await service.raw({ url: file, headers: calls.secret() })
    expect(headers['content-disposition']).toBe(
      "attachment; filename*=UTF-8''O%27Brien%E2%80%99s%20receipt%20%281%29%2A.pdf",
    )
    for (const name of ['../../etc/passwd', 'a/b.pdf', 'C:\\b.pdf', '..', 'x\u202efdp.exe'])
      expect([name, (await send('POST', url, { ...proof, name })).status]).toEqual([name, 400])
  })

  it('of 2 MB are taken with a key, larger ones and those without a key are not', async () => {
    const { dispute } = await disputed('9000.41')
    const url = `/v1/disputes/${dispute._id}/documents`
    const big = (bytes: number) =>
      Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(bytes - 15, 32), Buffer.from('%%EOF\n')])
    const add = (bytes: number) => send('POST', url, { ...proof, content: big(bytes).toString('base64') })
    expect((await add(2_000_000)).status).toBe(201)
    expect((await add(2_000_001)).status).toBe(400)
    expect((await add(3_000_000)).status).toBe(413)
    const withoutKey = await service.raw({
      method: 'POST',
      url,
      payload: { ...proof, content: big(3_000_000).toString('base64') },
    })
    expect(withoutKey.statusCode).toBe(401)
  })
})

describe('disputes are listed', () => {
  it('by status and by the time that is left, each merchant’s own alone', async () => {
    const { dispute } = await disputed('9000.41')
    const list = async (query: string) =>
      v
        .parse(v.array(DisputeResource), (await send('GET', `/v1/disputes?${query}`)).body.resource.data)
        .map(({ _id }) => _id)
    expect((await list('limit=1'))[0]).toBe(dispute._id)
    expect(await list('status=needs_response')).toContain(dispute._id)
    expect(await list('status=won')).not.toContain(dispute._id)
    expect(await list(`due_before=${new Date(Date.now() + 8 * 86_400_000).toISOString()}`)).toContain(
      dispute._id,
    )
    expect(await list(`due_before=${new Date(Date.now() + 86_400_000).toISOString()}`)).not.toContain(
      dispute._id,
    )
    const other = await service.makeMerchant()
    const headers = { 'x-user-secret-key': other.secretKey }
    expect((await service.call({ url: '/v1/disputes', headers })).body.resource.data).toEqual([])
    expect((await service.call({ url: `/v1/disputes/${dispute._id}`, headers })).status).toBe(404)
  })
})
