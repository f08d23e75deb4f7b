import * as v from 'valibot'
import { AgreementResource } from '../../../../contract/api/agreements/agreement-resource.ts'
import type { Answer, TestService } from '../../../testing/test-service.ts'
import { testStatement } from '../../../testing/test-statement.ts'

/** The calls of a merchant's server, under one access token. */
export interface AgreementCalls {
  create: (change?: object, path?: string) => Promise<Answer>
  /** One that its debtor has accepted; fails the test when it has not. */
  createActive: (change?: object) => Promise<AgreementResource>
  get: (id: string) => Promise<Answer>
  list: (query?: string) => Promise<Answer>
  amend: (id: string, payload: object, headers?: Record<string, string>) => Promise<Answer>
  changeStatus: (id: string, payload: object, headers?: Record<string, string>) => Promise<Answer>
  pay: (id: string, payload: object) => Promise<Answer>
  /** What the debtor does on its bank's page. */
  answerAsDebtor: (id: string, answer: string) => Promise<void>
  /** Tells the network and hears it, until both are at rest. */
  exchange: () => Promise<void>
}

/** The agreement of an answer; fails the test when it is not exactly what the contract says. */
export const agreementOf = ({ body }: Answer): AgreementResource =>
  v.parse(AgreementResource, body.resource.data)

/** A debtor of the sandbox; one that is not steered answers on its bank's page. */
export const debtor = (name = 'grace') => ({
  name: 'Grace Hopper',
  type: 'person',
  pay_id: { type: 'EMAIL', value: name.includes('@') ? name : `${name}@example.com` },
})

/** What a merchant asks for: payments of 10.00, when they fall due. */
export const request = {
  type: 'adhoc',
  description: 'Acme Power',
  purpose: 'utility',
  debtor: debtor(),
  creditor: { name: 'Acme Power', account: { bsb: '802-985', account_number: '123456789' } },
  payment_terms: { amount_type: 'fixed', amount: '10.00' },
}

/** A debtor by account. */
export const debtorOfAccount = (accountNumber: string) => ({
  name: 'Grace Hopper',
  type: 'person',
  account: { bsb: '802985', account_number: accountNumber },
})

const countRows = testStatement<{ count: number }>(
  't_count_agreements',
  'SELECT count(*) AS count FROM agreements',
)

/** How many agreements are kept. */
export const countAgreements = async ({ database }: TestService) =>
  (await database.run(countRows, []))[0]?.count

export async function agreementCalls(service: TestService, token?: string): Promise<AgreementCalls> {
  const authorization = `Bearer ${token ?? (await service.accessToken())}`
  const create: AgreementCalls['create'] = (change = {}, url = '/agreements') =>
    service.call({ method: 'POST', url, headers: { authorization }, payload: { ...request, ...change } })
  const get: AgreementCalls['get'] = (id) =>
    service.call({ url: `/agreements/${id}`, headers: { authorization } })
  const exchange: AgreementCalls['exchange'] = async () => {
    await service.runJob('send payments')
    await service.runJob('send instructions')
    await service.runJob('receive notices')
  }
  const answerAsDebtor: AgreementCalls['answerAsDebtor'] = async (id, answer) => {
    await exchange()
    const url = `/sandbox/bank/agreements/${id}/answers`
    const { status } = await service.call({ method: 'POST', url, payload: { answer } })
    if (status >= 300) throw new Error(`the debtor's bank has answered ${String(status)}`)
    await exchange()
  }
  const change =
    (path: string): AgreementCalls['amend'] =>
    (id, payload, headers = {}) =>
      service.call({
        method: 'PATCH',
        url: `/agreements/${id}${path}`,
        headers: { authorization, ...headers },
        payload,
      })
  return {
    create,
    get,
    exchange,
    answerAsDebtor,
    list: (query = '') => service.call({ url: `/agreements${query}`, headers: { authorization } }),
    amend: change(''),
    changeStatus: change('/status'),
    pay: (id, payload) =>
      service.call({
        method: 'POST',
        url: `/agreements/${id}/payments`,
        headers: { authorization },
        payload,
      }),
    async createActive(overrides = {}) {
      const { _id: id } = agreementOf(await create(overrides))
      await answerAsDebtor(id, 'accept')
      const agreement = agreementOf(await get(id))
      if (agreement.status !== 'active') throw new Error(`the agreement is ${agreement.status}`)
      return agreement
    },
  }
}
