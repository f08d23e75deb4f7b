import { DashboardApi } from './dashboard-api.ts'
import { MerchantServer } from './merchant-server.ts'
import { addMerchant } from './merchants.ts'
import type { Merchant } from './merchants.ts'
import { join } from './people.ts'
import type { SignedIn, Person } from './people.ts'
import { stockAgreements } from './stock/stock-agreements.ts'
import { stockCharges } from './stock/stock-charges.ts'
import { stockCheckouts } from './stock/stock-checkouts.ts'
import { stockCompany } from './stock/stock-company.ts'

/** Somebody who is signed in. */
export interface Member {
  person: Person
  state: SignedIn
}

/** Ids of what has a page of its own. */
export type Stock = Awaited<ReturnType<typeof stockMerchant>>

/** A merchant that has something of everything, with who looks at it. */
export interface StockedWorld {
  merchant: Merchant
  owner: Member
  viewer: Member
  stock: Stock
}

/** Makes a merchant of which every page is full. */
export async function stockedWorld(): Promise<StockedWorld> {
  const merchant = await addMerchant('Marlow & Finch')
  const owner = await join(merchant, 'owner', 'Olive Owner')
  const stocking = stockMerchant(new MerchantServer(merchant), owner)
  const viewer = await join(merchant, 'viewer', 'Wolfeschlegelsteinhausenbergerdorff Featherstonehaugh')
  return { merchant, owner, viewer, stock: await stocking }
}

async function stockMerchant(server: MerchantServer, owner: Member) {
  const api = await DashboardApi.of(owner)
  const company = await stockCompany(api)
  const [charges, checkouts, agreements] = await Promise.all([
    stockCharges(server, api),
    stockCheckouts(server, api),
    stockAgreements(api),
  ])
  await api.end()
  return { ...company, ...charges, ...checkouts, ...agreements }
}
