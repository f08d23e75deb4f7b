/**
 * First of the ports that the tests' own service, shop and pages take, apart from those of `npm start`; below 32768, from where
 * the system takes the ports of connections (`ip_local_port_range`).
 */
const FIRST_PORT = Number(process.env['SVC_TEST_FIRST_PORT'] ?? '18080')

export const SERVICE_PORT = FIRST_PORT
export const SHOP_PORT = FIRST_PORT + 10
export const DASHBOARD_PORT = FIRST_PORT + 9
export const BANK_PORT = FIRST_PORT + 8
export const SERVICE_URL = `http://localhost:${SERVICE_PORT}`
export const SHOP_URL = `http://localhost:${SHOP_PORT}`
export const DASHBOARD_URL = `http://localhost:${DASHBOARD_PORT}`

/** The service on a host of a shop's own site, and that shop; browsers find both on this machine. */
export const ALIAS_URL = `http://cards.shop.localhost:${SERVICE_PORT}`
export const ALIAS_SHOP = 'shop.localhost'

/** A test merchant's page, on its own origin; each of Playwright's workers serves one. */
export const PAGE_PORT = FIRST_PORT + 11 + Number(process.env['TEST_PARALLEL_INDEX'] ?? '0')
export const PAGE_URL = `http://localhost:${PAGE_PORT}`

/** WebKit's driver, one for each of Playwright's workers. */
export const WEBKIT_PORT = FIRST_PORT + 30 + Number(process.env['TEST_PARALLEL_INDEX'] ?? '0')
