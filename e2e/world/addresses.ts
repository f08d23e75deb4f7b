/** Where the tests' own service and shop listen, apart from those of `npm start`. */
export const SERVICE_PORT = 48_080
export const SHOP_PORT = 48_090
export const SERVICE_URL = `http://localhost:${SERVICE_PORT}`
export const SHOP_URL = `http://localhost:${SHOP_PORT}`

/** A merchant's page of the tests' own, on an origin of its own. */
export const PAGE_PORT = 48_091
export const PAGE_URL = `http://localhost:${PAGE_PORT}`
