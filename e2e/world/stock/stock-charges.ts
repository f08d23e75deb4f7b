import type { DashboardApi } from '../dashboard-api.ts'
import type { MerchantServer } from '../merchant-server.ts'
import { LONG_NAME, LONG_REFERENCE } from './long-texts.ts'
import { pick, priceOf } from './prices.ts'

const VISA = '4012000033330026'
const MASTERCARD = '5111111111111118'
const DINERS = '30569309025904'
/** Their bank asks for a code; is content without a question. */
export const ASKS_CODE = '4970110000001011'
const PASSES_UNASKED = '4970110000000013'
/** An expiry that the sandbox declines. */
const DECLINED = { month: 5, year: 2039 }

const SHOPPERS = [
  ['Grace', 'Hopper', '12 Harbour Street', 'Sydney'],
  ['Ada', 'Lovelace', '4 Marlow Road', 'Hobart'],
  ['Katherine', 'Johnson', '81 Orbit Avenue', 'Perth'],
  ['Jean', 'Bartik', '9 Relay Lane', 'Melbourne'],
  ['Hedy', 'Lamarr', '27 Frequency Parade', 'Adelaide'],
  ['Radia', 'Perlman', '1 Spanning Court', 'Brisbane'],
] as const

/** Makes `count` charges: most are captured, some held, some declined. The first is number `first`. */
export async function chargeShoppers(server: MerchantServer, count: number, first: number): Promise<void> {
  for (const index of Array.from({ length: count }).keys()) {
    await tryToCharge(server, {
      amount: priceOf(index),
      reference: `MF-${first + index}`,
      description: '1 × Dusk lamp, brass',
      customer: customerOf(index),
      number: pick([VISA, VISA, MASTERCARD, VISA, DINERS], index),
      ...(index % 7 === 6 && { expiry: DECLINED }),
      isHold: index % 9 === 8,
    })
  }
}

/** Holds, captures a part and refunds a part of that; returns the charge's id. */
export async function refundPart(server: MerchantServer, api: DashboardApi): Promise<string> {
  const id = await server.charge({
    amount: '189.00',
    reference: 'MF-10446',
    description: '3 × Dusk lamp, brass',
    customer: customerOf(0),
    isHold: true,
  })
  await api.make(`/v1/charges/${id}/capture`, { amount: '160.00' })
  await server.refund(id, { amount: '49.00' })
  return id
}

/** Makes charges in every state, more than fit on a page. Returns some of the ids. */
export async function stockCharges(server: MerchantServer, api: DashboardApi) {
  await chargeShoppers(server, 24, 10_421)
  await tryToCharge(server, { amount: '9000.51', reference: 'MF-10445', customer: customerOf(2) })
  const failed = await api.idOfFirst('/v1/charges?reference=MF-10445')
  const captured = await refundPart(server, api)
  const refunded = await server.charge({ amount: '64.20', reference: 'MF-10447', customer: customerOf(1) })
  await server.refund(refunded, { amount: '64.20' })
  const long = await server.charge({
    amount: '9999999.00',
    reference: LONG_REFERENCE,
    description: `${LONG_REFERENCE} ${LONG_REFERENCE}`,
    customer: {
      ...customerOf(3),
      first_name: LONG_NAME,
      last_name: LONG_NAME,
      email: `${'a'.repeat(60)}@${'example'.repeat(7)}.example`,
    },
  })
  const held = await server.charge({
    amount: '320.00',
    reference: 'MF-10448',
    customer: customerOf(4),
    isHold: true,
  })
  return { captured, failed, long, held, ...(await stockAuthentications(server)) }
}

/** Charges of cards whose bank takes part: in each state of that. */
async function stockAuthentications(server: MerchantServer) {
  const asked = () => server.ask(ASKS_CODE)
  const [atBank, passed, notConfirmed, gaveUp] = [await asked(), await asked(), await asked(), await asked()]
  await server.answerBank(passed, ['1234'])
  await server.answerBank(notConfirmed, ['0000', '0001', '0002'])
  await server.giveUp(gaveUp)
  const unasked = await server.ask(PASSES_UNASKED)
  return {
    atBank: atBank._id,
    passed: passed._id,
    notConfirmed: notConfirmed._id,
    gaveUp: gaveUp._id,
    unasked: unasked._id,
  }
}

/** Charges a card, which the sandbox may decline. */
async function tryToCharge(server: MerchantServer, sale: Parameters<MerchantServer['charge']>[0]) {
  await server.charge(sale).catch((fault: unknown) => {
    if (!String(fault).includes('answered 422')) throw fault
  })
}

/** One of the shoppers, with their address. */
export const customerOf = (index: number) => {
  const [first_name, last_name, address_line1, city] = pick(SHOPPERS, index)
  return {
    first_name,
    last_name,
    email: `${first_name.toLowerCase()}@example.com`,
    phone: '+61400000000',
    payment_source: { address_line1, city, postcode: '2000', country: 'Australia' },
  }
}
