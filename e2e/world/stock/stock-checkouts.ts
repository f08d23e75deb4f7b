import type { DashboardApi } from '../dashboard-api.ts'
import type { MerchantServer } from '../merchant-server.ts'
import { LONG_REFERENCE } from './long-texts.ts'
import { priceOf } from './prices.ts'

/** Makes templates of both kinds, and checkouts that use them. Returns some of the ids. */
export async function stockCheckouts(server: MerchantServer, api: DashboardApi) {
  const template = (type: string, version: number, label: string, content: object) =>
    api.make(`/v1/checkouts/templates?type=${type}`, { version, label, content })
  await template('configuration', 1, 'Every card, at once', {})
  const configuration = await template('configuration', 1, 'Wholesale: hold, then capture', {
    schemes: ['visa', 'mastercard'],
    capture: 'later',
    fields: [
      { field: 'email', required: true },
      { field: 'phone', required: false },
    ],
  })
  await template('customisation', 1, LONG_REFERENCE, {})
  const customisation = await template('customisation', 2, 'Marlow & Finch', {
    styles: { button_color: '#1f5f4a', background_color: '#fbfaf6', text_color: '#1d2420' },
    texts: { title_h2: 'Pay Marlow & Finch', submit_button: 'Pay {amount}' },
  })
  const intent = (reference: string, amount: string, more: object = {}) =>
    server.checkout({ version: 2, amount, reference, ...more })
  for (const index of Array.from({ length: 8 }).keys())
    await intent(`MF-${10_500 + index}`, priceOf(index), {
      customisation: { template_id: customisation },
    })
  await intent(LONG_REFERENCE, '9999999.00')
  const checkout = await intent('MF-10509', '189.00', {
    description: '3 × Dusk lamp, brass',
    configuration: { template_id: configuration },
    customisation: { template_id: customisation },
  })
  return { configuration, customisation, checkout }
}
