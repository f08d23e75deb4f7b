import { DashboardApi } from './dashboard-api.ts'
import { MerchantServer } from './merchant-server.ts'
import { addMerchant } from './merchants.ts'
import type { Merchant } from './merchants.ts'
import { join } from './people.ts'
import type { SignedIn, Person } from './people.ts'
import { stockAgreements } from './stock/stock-agreements.ts'
import { stockCharges } from './stock/stock-charges.ts'
import { stockCheckouts } from './stock/stock-checkouts.ts'
import { stockDisputes } from './stock/stock-disputes.ts'
import { stockCompany } from './stock/stock-company.ts'

/** A person who is signed in. */
export interface Member {
  person: Person
  state: SignedIn
}

/** Ids of things that have their own page. */
export type Stock = Awaited<ReturnType<typeof stockMerchant>>

/** A merchant that has something of everything, and people of its team. */
export interface StockedWorld {
  merchant: Merchant
  owner: Member
  viewer: Member
  stock: Stock
}

/** Makes a merchant for whom every page has content. */
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
  const [charges, checkouts, agreements, disputes] = await Promise.all([
    stockCharges(server, api),
    stockCheckouts(server, api),
    stockAgreements(api),
    stockDisputes(server, api),
  ])
  await api.end()
  return { ...company, ...charges, ...checkouts, ...agreements, ...disputes }
}
