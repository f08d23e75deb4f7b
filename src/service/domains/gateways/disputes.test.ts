import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DisputeResource } from '../../../contract/api/disputes/dispute-resource.ts'
import { createTestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { createDisputesAt, DISPUTE_SIDES } from './testing/disputes-at.ts'
import type { DisputesAt } from './testing/disputes-at.ts'

const PDF = Buffer.from('%PDF-1.4\nsigned by the neighbour \xff\n%%EOF\n', 'latin1')

const loseAccount = testStatement(
  't_lose_account',
  "UPDATE gateways SET credentials = credentials || '\\x00' WHERE id = $1",
)
const findAccount = testStatement(
  't_find_account',
  'UPDATE gateways SET credentials = substr(credentials, 1, length(credentials) - 1) WHERE id = $1',
)
const makeDue = testStatement(
  't_answers_due',
  "UPDATE disputes SET send_after = now() - interval '1 second' WHERE send_after IS NOT NULL",
)
const letDayPass = testStatement(
  't_day_of_answer',
  `UPDATE disputes SET answer = jsonb_set(answer, '{at}', to_jsonb(now() - interval '1 day')) WHERE id = $1`,
)

/** What is the same in whatever order the news came. */
const essence = ({
  status,
  stage,
  amount,
  funds_withdrawn,
  reason,
  respond_by,
  actions,
}: DisputeResource) => ({
  ...{ status, stage, amount, funds_withdrawn, reason, respond_by, actions },
})

describe.each(DISPUTE_SIDES)('a dispute at %s', (name) => {
  let at: DisputesAt
  beforeAll(async () => {
    at = await createDisputesAt(name)
  }, 60_000)
  afterAll(() => at.close())

  const only = async (chargeId: string) => {
    const disputes = await at.disputesOf(chargeId)
    expect(disputes).toHaveLength(1)
    const [dispute] = disputes
    if (dispute === undefined) throw new Error('it is not there')
    return dispute
  }
  const opened = async () => {
    const made = await at.dispute()
    await at.hear(at.tell())
    return { ...made, dispute: await only(made.chargeId) }
  }
  const defend = async (id: string) => {
    const { code: defence, document: type } = at.defence
    const file = {
      type,
      name: 'delivery.pdf',
      content_type: 'application/pdf',
      content: PDF.toString('base64'),
    }
    expect(await at.send('POST', `/v1/disputes/${id}/documents`, file)).toMatchObject({ status: 201 })
    expect(await at.send('POST', `/v1/disputes/${id}/defend`, { defence })).toMatchObject({ status: 202 })
    await at.sendAnswers()
  }

  it('is heard of, with its reason, its deadline and where the money is', async () => {
    const { chargeId, externalId, dispute } = await opened()
    expect(dispute).toMatchObject({
      ...{ charge_id: chargeId, external_id: externalId, gateway_type: name.toLowerCase() },
      ...{ status: 'needs_response', stage: 'chargeback', amount: 100, funds_withdrawn: true },
      reason: { category: 'not_received', code: '13.1', description: 'Goods or services were not received' },
      actions: ['accept', 'defend'],
    })
    expect(Date.parse(dispute.respond_by ?? '')).toBeGreaterThan(Date.parse(dispute.created_at))
  })

  it('is defended with a file, which arrives to the byte, and won: the money is back', async () => {
    const { chargeId, externalId, dispute } = await opened()
    await defend(dispute._id)
    expect(await only(chargeId)).toMatchObject({ status: 'under_review', answer: { state: 'sent' } })
    expect([...at.answersOf(externalId).documents.values()]).toEqual([PDF])
    at.rule(externalId, 'won')
    await at.hear(at.tell())
    expect(await only(chargeId)).toMatchObject({ status: 'won', funds_withdrawn: false, actions: [] })
  })

  // Stripe has one defence.
  it.runIf(name === 'Adyen')(
    'is defended without the files that were added for another defence',
    async () => {
      const { externalId, dispute } = await opened()
      const other = {
        type: 'GoodsWereAsDescribed',
        name: 'other.pdf',
        content_type: 'application/pdf',
        content: Buffer.from('%PDF-1.4\nnot this\n%%EOF\n').toString('base64'),
      }
      await at.send('POST', `/v1/disputes/${dispute._id}/documents`, other)
      await defend(dispute._id)
      expect([...at.answersOf(externalId).documents.values()]).toEqual([PDF])
    },
  )

  it('is lost though it was defended', async () => {
    const { chargeId, externalId, dispute } = await opened()
    await defend(dispute._id)
    at.rule(externalId, 'lost')
    await at.hear(at.tell())
    expect(await only(chargeId)).toMatchObject({ status: 'lost', funds_withdrawn: true, actions: [] })
  })

  it('takes a statement only where its gateway does, and sends nothing else', async () => {
    const { externalId, dispute } = await opened()
    const takesWords = name === 'Stripe'
    const path = `/v1/disputes/${dispute._id}`
    expect((await at.send('GET', `${path}/defences`)).body.resource.data).toMatchObject({
      takes_statement: takesWords,
    })
    const { code: defence, document: type } = at.defence
    const file = { type, name: 'a.pdf', content_type: 'application/pdf', content: PDF.toString('base64') }
    await at.send('POST', `${path}/documents`, file)
    const answered = await at.send('POST', `${path}/defend`, { defence, statement: 'It came on Monday.' })
    await at.sendAnswers()
    expect(at.answersOf(externalId).answers).toBe(takesWords ? 1 : 0)
    expect(answered).toMatchObject(
      takesWords ? { status: 202 } : { status: 400, body: { error: { details: [{ path: 'statement' }] } } },
    )
  })

  it('is accepted, and stays so when the gateway calls it lost', async () => {
    const { chargeId, externalId, dispute } = await opened()
    expect(await at.send('POST', `/v1/disputes/${dispute._id}/accept`)).toMatchObject({ status: 202 })
    await at.sendAnswers()
    await at.hear(at.tell())
    expect(await only(chargeId)).toMatchObject({ status: 'accepted', answer: { state: 'sent' } })
    expect(at.answersOf(externalId).answers).toBe(1)
  })

  it('is answered once, though the answer of the gateway is lost', async () => {
    const { chargeId, externalId, dispute } = await opened()
    const isLast = ({ path }: { path: string }) => /defendDispute$|\/disputes\/\w+$/.test(path)
    at.breakNext('reset after applying', isLast)
    await defend(dispute._id)
    expect(await only(chargeId)).toMatchObject({ status: 'needs_response', answer: { state: 'sending' } })
    await at.sendAnswers()
    expect(await only(chargeId)).toMatchObject({ status: 'under_review', answer: { state: 'sent' } })
    expect(at.answersOf(externalId).answers).toBe(1)
  })

  it('is the same in whatever order and however often its news comes', async () => {
    const orders = [
      [0, 1, 2, 3],
      [3, 2, 1, 0],
      [2, 3, 0, 1],
      [1, 3, 0, 2],
    ]
    const ends = []
    for (const order of orders) {
      const { chargeId, externalId } = await at.dispute()
      at.rule(externalId, 'won')
      const sent = at.tell()
      const shuffled = order.flatMap((place) => sent[place] ?? [])
      expect(shuffled).toHaveLength(sent.length)
      await at.hear([...shuffled, ...shuffled])
      const dispute = await only(chargeId)
      ends.push({ ...essence(dispute), respond_by: dispute.respond_by === null })
    }
    expect(new Set(ends.map((end) => JSON.stringify(end))).size).toBe(1)
    expect(ends[0]).toMatchObject({ status: 'won', funds_withdrawn: false })
  })

  it('whose account can’t be read says so, and after a day what to do about its answer', async () => {
    const { chargeId, dispute } = await opened()
    const other = await opened()
    expect(await at.send('POST', `/v1/disputes/${dispute._id}/accept`)).toMatchObject({ status: 202 })
    // Accounts are remembered for some seconds; another process has not read any.
    const { database, merchant } = at.service
    const another = await createTestService({ database })
    const sendThere = async () => {
      await database.run(makeDue, [])
      await another.runJob('send answers to disputes')
      await another.jobs.find(({ name: job }) => job === 'send answers to disputes')?.finish?.()
    }
    await database.run(loseAccount, [dispute.gateway_id])
    const url = `/v1/disputes/${other.dispute._id}/accept`
    const headers = { 'x-user-secret-key': merchant.secretKey }
    const { status, body } = await another.call({ method: 'POST', url, headers })
    expect([status, body.error?.code]).toEqual([503, 'gateway_unavailable'])
    await sendThere()
    expect(await only(chargeId)).toMatchObject({ answer: { state: 'sending' } })
    await database.run(letDayPass, [dispute._id])
    await sendThere()
    const { answer, actions, history } = await only(chargeId)
    expect([answer?.state, actions]).toEqual(['refused', ['accept', 'defend']])
    expect(history.at(-1)?.description).toBe(answer?.message)
    expect(answer?.message).toContain('See at the gateway whether it has arrived')
    await database.run(findAccount, [dispute.gateway_id])
    await another.close()
  })

  it('is not heard of from anybody else', async () => {
    const { chargeId } = await at.dispute()
    const forged = at
      .tell()
      .map(({ headers, body }) => ({ headers, body: body.replace('"AUD"', '"EUR"').replace('aud', 'eur') }))
    expect(new Set(await at.hear(forged))).toEqual(new Set([401]))
    expect(await at.disputesOf(chargeId)).toEqual([])
  })
})
