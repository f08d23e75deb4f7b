import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { openConnection } from '../http-connection.ts'
import type { HttpConnection } from '../http-connection.ts'
import type { Templates } from './seed.ts'

/** The demo merchant's server, with an access token, over kept-alive connections. */
export interface AgreementsClient {
  /** Asks for a path; throws unless the answer is 200. */
  get: (path: string) => Promise<string>
  /** Sends a body; throws unless the answer is 201. */
  post: (path: string, body: object) => Promise<string>
  close: () => void
}

/** The merchant's credentials, as the service writes them into `demo.json`. */
export const DemoKeys = v.object({ secret_key: v.string(), client_id: v.string(), client_secret: v.string() })
type DemoKeys = v.InferOutput<typeof DemoKeys>

export async function createAgreementsClient(port: number, keys: DemoKeys): Promise<AgreementsClient> {
  const headers = `authorization: Bearer ${await accessToken(port, keys)}\r\n`
  const all = new Set<HttpConnection>()
  const idle: HttpConnection[] = []
  const using = async (work: (connection: HttpConnection) => Promise<string>): Promise<string> => {
    const connection = idle.pop() ?? (await openConnection(port))
    all.add(connection)
    const text = await work(connection)
    idle.push(connection)
    return text
  }
  return {
    get: (path) =>
      using(async (connection) => {
        const { status, bytes } = await connection.get(path, headers)
        if (status !== 200) throw new Error(`${path}: ${bytes.toString()}`)
        return bytes.toString()
      }),
    post: (path, body) => using((connection) => connection.post(path, headers, JSON.stringify(body))),
    close: () => {
      for (const connection of all) connection.close()
    },
  }
}

async function accessToken(
  port: number,
  { client_id: id, client_secret: secret }: DemoKeys,
): Promise<string> {
  const response = await fetch(`http://localhost:${String(port)}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret }),
  })
  return v.parse(v.object({ access_token: v.string() }), await response.json()).access_token
}

const Made = v.object({ resource: v.object({ data: v.object({ _id: v.string(), status: v.string() }) }) })

/** The fields of every measured agreement, without its type and terms. Its debtor accepts at once. */
export const MEMBERSHIP = {
  description: 'Acme Gym, monthly membership',
  purpose: 'retail',
  debtor: {
    name: 'Grace Hopper',
    type: 'person',
    pay_id: { type: 'EMAIL', value: 'approve@sandbox.example' },
  },
  creditor: { name: 'Acme Gym', account: { bsb: '802-985', account_number: '123456789' } },
}
const UP_TO = { amount_type: 'variable', maximum_amount: '50.00' }
/** `day`: the day of the month on which the service collects. */
const requests = (day: number): Readonly<Record<keyof Templates, object>> => ({
  collected: {
    type: 'recurring',
    payment_terms: { amount_type: 'fixed', amount: '49.90', frequency: 'monthly', point_in_period: day },
  },
  sent: { type: 'recurring', payment_terms: { ...UP_TO, frequency: 'monthly', count_per_period: 100 } },
  adhoc: { type: 'adhoc', payment_terms: UP_TO },
  oneoff: { type: 'oneoff', payment_terms: UP_TO },
})

/** Makes an agreement of each kind, accepted by its debtor, and pays the adhoc one once. */
export async function makeTemplates(client: AgreementsClient, day: number): Promise<Templates> {
  const asked = requests(day)
  const metadata = { customer: '1048576', plan: 'gold' }
  const make = (kind: keyof Templates) => makeActive(client, { ...MEMBERSHIP, metadata, ...asked[kind] })
  const templates = {
    collected: await make('collected'),
    sent: await make('sent'),
    adhoc: await make('adhoc'),
    oneoff: await make('oneoff'),
  }
  const paid = await client.post(`/agreements/${templates.adhoc}/payments`, {
    amount: '10.00',
    reference: 'first',
  })
  await reached(client, `/payments/${parsed(paid)._id}`, 'settled')
  return templates
}

async function makeActive(client: AgreementsClient, request: object): Promise<string> {
  const { _id: id } = parsed(await client.post('/agreements', request))
  await reached(client, `/agreements/${id}`, 'active')
  return id
}

async function reached(client: AgreementsClient, path: string, status: string): Promise<void> {
  while (parsed(await client.get(path)).status !== status) await sleep(50)
}

const parsed = (text: string) => v.parse(Made, JSON.parse(text)).resource.data
