import type { DashboardApi } from '../dashboard-api.ts'

/** Fills the pages under My Company: webhooks, clients, gateways, origins, invitations. Returns the ids of a webhook and a gateway. */
export async function stockCompany(api: DashboardApi) {
  await api.change('PUT', '/api/origins', {
    allowed_origins: ['https://shop.marlow.example', 'https://*.staging.marlow.example'],
  })
  await api.make('/api/clients', { scopes: ['agreements:read', 'payments:read'] })
  await api.make('/api/clients', {
    scopes: ['agreements:read', 'agreements:write', 'payments:read', 'payments:write'],
  })
  const gateway = await api.make('/api/gateways', {
    name: 'Adyen, Sydney',
    type: 'adyen',
    is_default: false,
    credentials: {
      api_key: 'AQE-not-a-key',
      merchant_account: 'MarlowFinchECOM',
      base_url: 'http://localhost:9/v72',
    },
  })
  await api.make('/api/team/invitations', { email: 'jean@marlow.example', role: 'developer' })
  await api.make('/api/team/invitations', {
    email: `${'a'.repeat(60)}@${'marlow'.repeat(8)}.example`,
    role: 'viewer',
  })
  await api.make('/v1/webhooks', {
    url: `https://hooks.marlow.example/${'a-long-path/'.repeat(14)}`,
    events: ['charge.captured', 'charge.refunded', 'charge.failed'],
  })
  const webhook = await api.make('/v1/webhooks', {
    url: 'http://localhost:9/hooks',
    events: ['charge.refunded', 'charge.failed', 'payment.settled', 'payment.failed'],
  })
  return { webhook, gateway }
}
