import { expect, request } from '@playwright/test'
import type { APIRequestContext, BrowserContext } from '@playwright/test'
import * as v from 'valibot'
import { DASHBOARD_URL } from './addresses.ts'
import type { SignedIn, Person } from './people.ts'

const Answer = v.object({ resource: v.object({ data: v.unknown() }) })
const Made = v.union([
  v.object({ id: v.string() }),
  v.pipe(
    v.object({ _id: v.string() }),
    v.transform(({ _id: id }) => ({ id })),
  ),
])

/** The dashboard's API, called as by the browser of a person who is signed in. */
export class DashboardApi {
  readonly #context: APIRequestContext

  private constructor(context: APIRequestContext) {
    this.#context = context
  }

  static async of({ person, state }: { person: Person; state: SignedIn }): Promise<DashboardApi> {
    const context = await request.newContext({
      baseURL: DASHBOARD_URL,
      storageState: state,
      extraHTTPHeaders: { ...person.headers, origin: DASHBOARD_URL },
    })
    return new DashboardApi(context)
  }

  /** Makes something; returns its id. */
  async make(path: string, body: object): Promise<string> {
    return v.parse(Made, await this.change('POST', path, body)).id
  }

  /** The data of the answer. */
  async change(method: 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: object): Promise<unknown> {
    const answer = await this.#context.fetch(path, { method, ...(body && { data: body }) })
    if (!answer.ok()) throw new Error(`${method} ${path} answered ${answer.status()}: ${await answer.text()}`)
    return v.parse(Answer, await answer.json()).resource.data
  }

  /** Invites somebody; returns the link. */
  async linkFor(invitation: { email: string; role: string }): Promise<string> {
    return v.parse(
      v.object({ link: v.string() }),
      await this.change('POST', '/api/team/invitations', invitation),
    ).link
  }

  /** The id of the first item of a list. */
  async idOfFirst(path: string): Promise<string> {
    const [first] = v.parse(v.array(Made), await this.#read(path))
    if (first === undefined) throw new Error(`${path} lists nothing`)
    return first.id
  }

  /** Reads something again and again, until it is as expected. */
  async until<Schema extends v.GenericSchema>(
    schema: Schema,
    path: string,
    isReached: (data: v.InferOutput<Schema>) => boolean,
  ): Promise<void> {
    await expect
      .poll(async () => isReached(v.parse(schema, await this.#read(path))), { timeout: 20_000 })
      .toBe(true)
  }

  async #read(path: string): Promise<unknown> {
    return v.parse(Answer, await (await this.#context.get(path)).json()).resource.data
  }

  async end(): Promise<void> {
    await this.#context.dispose()
  }
}

const MadeAnswer = v.object({
  resource: v.object({ data: v.nullable(v.object({ _id: v.optional(v.string()) })) }),
})

/** Changes something by the dashboard's API, as a page of the signed-in person does. Returns the id of what was made, or ''. */
export async function changeAs(
  context: BrowserContext,
  method: 'POST' | 'PATCH',
  path: string,
  data: object,
): Promise<string> {
  const answer = await context.request.fetch(DASHBOARD_URL + path, {
    method,
    data,
    headers: { origin: DASHBOARD_URL },
  })
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`)
  return v.parse(MadeAnswer, await answer.json()).resource.data?._id ?? ''
}

/** The request for an agreement that the payer accepts at once. */
export const AGREEMENT = {
  type: 'adhoc',
  description: 'Books of a year',
  purpose: 'utility',
  debtor: {
    name: 'Ada Lovelace',
    type: 'person',
    pay_id: { type: 'EMAIL', value: 'approve@sandbox.example' },
  },
  creditor: { name: 'Kestrel Books', account: { bsb: '802-985', account_number: '112233' } },
  payment_terms: { amount_type: 'variable', maximum_amount: '100.00' },
  reference: 'agreed',
}
