import { isIP } from 'node:net'
import * as v from 'valibot'
import { ConnectionUrlFault, readConnectionUrl } from '../platform/database/connection-url.ts'

interface Urls {
  SVC_ENVIRONMENT: string
  SVC_BASE_URL?: string | undefined
  SVC_WIDGET_URL?: string | undefined
  SVC_WIDGET_ALIASES: readonly string[]
}

/** Why cards can't be taken at these addresses in production: they would travel in plain, or never arrive. Null when they can. */
export function publicUrlFault(settings: Urls): string | null {
  if (settings.SVC_ENVIRONMENT !== 'production_svc') return null
  if (settings.SVC_BASE_URL === undefined)
    return 'SVC_BASE_URL must be set in production_svc: the https origin at which merchants reach the service'
  const { SVC_BASE_URL, SVC_WIDGET_URL = SVC_BASE_URL } = settings
  const aliases = settings.SVC_WIDGET_ALIASES.map((url) => ['SVC_WIDGET_ALIASES', url] as const)
  const urls = [...Object.entries({ SVC_BASE_URL, SVC_WIDGET_URL }), ...aliases]
  const wrong = urls.find(([, url]) => !isPublic(url))
  return wrong === undefined
    ? null
    : `${wrong[0]} must be an https origin of a public host in production_svc, not ${wrong[1]}`
}

const OF_THIS_MACHINE = /^(?:localhost|.+\.localhost|127\..+|0\.0\.0\.0|\[::1?\])$/

/** Whether nobody on another machine can reach what is at this address. */
export function isOfThisMachine(url: string): boolean {
  return OF_THIS_MACHINE.test(new URL(url).hostname)
}

function isPublic(url: string): boolean {
  return new URL(url).protocol === 'https:' && !isOfThisMachine(url)
}

/** `SVC_OAUTH_ISSUER`. It is compared with `iss` letter by letter (RFC 8414, section 2), so it is kept as it was written. */
export const OauthIssuer = v.pipe(
  v.string(),
  v.check(isIssuer, 'must be the URL of an issuer such as https://id.example.com/acme'),
)

/** No user, query or fragment, and written as it will be asked for. */
function isIssuer(url: string): boolean {
  if (!/^https?:\/\/[^\s?#@]+$/.test(url) || !URL.canParse(url)) return false
  return new URL(url).href.replace(/\/$/, '') === url.replace(/\/$/, '')
}

interface IssuerVariables {
  SVC_OAUTH_ISSUER?: string | undefined
  SVC_ENVIRONMENT: string
}

/** False where others could change the issuer's keys on their way: who does that signs tokens for anyone. */
export function isSafeIssuer({
  SVC_OAUTH_ISSUER: url,
  SVC_ENVIRONMENT: environment,
}: IssuerVariables): boolean {
  return url?.startsWith('http:') !== true || environment === 'sandbox'
}

/** A port, as digits; 0 lets the system choose one. */
export const portNumber = v.pipe(
  v.string(),
  v.regex(/^\d{1,5}$/, 'must be a port number'),
  v.transform(Number),
  v.maxValue(65535, 'must be a port number'),
)

/** An origin such as `https://pay.example.com`; slashes at its end are dropped. */
export const origin = v.pipe(
  v.string(),
  v.transform((url) => url.replace(/\/+$/, '')),
  v.check(isOrigin, 'must be an origin such as https://pay.example.com'),
)

/** Origins, separated by commas, as browsers write them. */
export const originList = v.pipe(
  v.optional(v.string(), ''),
  v.transform((text) => text.split(',').map((one) => one.trim().replace(/\/+$/, '').toLowerCase())),
  v.transform((list) => list.filter((one) => one !== '')),
  v.check(
    (list) => list.every(isOrigin),
    'must be origins such as https://cards.shop.example, separated by commas',
  ),
)

function isOrigin(url: string): boolean {
  // Characters such as `;`, which the URL standard allows in a host and a policy's list of sources does not.
  return (
    /^https?:\/\/[\w.:[\]-]+$/.test(url) && URL.canParse(url) && new URL(url).origin === url.toLowerCase()
  )
}

/** An address of this machine to listen at; a name could mean several. */
export const hostAddress = v.pipe(
  v.string(),
  v.check((text) => isIP(text) !== 0, 'must be an IP address such as 127.0.0.1, 0.0.0.0 or ::'),
)

export const drainSeconds = v.pipe(
  v.string(),
  v.regex(/^(?:0|[1-9]\d{0,2})$/, 'must be a whole number of seconds, up to 999'),
  v.transform(Number),
)

/** How many processes serve. More than a machine's processors are of no use. */
export const processCount = v.pipe(
  v.string(),
  v.regex(/^(?:[1-9]|[1-5]\d|6[0-4])$/, 'must be a whole number from 1 to 64'),
  v.transform(Number),
)

/** As `postgres://user:password@host:port/database`; its faults have words of their own. */
export const databaseUrl = v.pipe(
  v.string(),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const message = urlFaultOf(dataset.value)
    if (message !== null) addIssue({ message })
  }),
)

function urlFaultOf(url: string): string | null {
  try {
    readConnectionUrl(url)
    return null
  } catch (error) {
    if (error instanceof ConnectionUrlFault) return error.message
    throw error
  }
}

/** Where the dashboard is: the port of its listener, and the origin at which browsers reach it. */
export interface DashboardSettings {
  /** Null: it is not served. */
  dashboardPort: number | null
  dashboardUrl: string
}

/** The dashboard's settings, as environment variables. */
export const dashboardVariables = {
  SVC_DASHBOARD_PORT: v.optional(portNumber),
  SVC_DASHBOARD_URL: v.optional(origin),
}

interface DashboardVariables {
  SVC_PORT: number
  SVC_ENVIRONMENT: string
  SVC_DASHBOARD_PORT?: number | undefined
  SVC_DASHBOARD_URL?: string | undefined
}

const DEFAULT_PORT = 8070

/**
 * Where the dashboard is, or in one line why these settings are refused. Outside sandbox it is served only once its URL is set:
 * passwords travel to it, and no listener opens that the operator did not ask for. `origins`: those of the API and of the SDK with its forms.
 */
export function dashboardSettingsOf(
  settings: DashboardVariables,
  origins: readonly string[],
): DashboardSettings | string {
  const { SVC_DASHBOARD_PORT: setPort, SVC_DASHBOARD_URL: setUrl } = settings
  const isSandbox = settings.SVC_ENVIRONMENT === 'sandbox'
  const port = setPort ?? DEFAULT_PORT
  const url = setUrl ?? `http://localhost:${String(port)}`
  if (setUrl === undefined && !isSandbox)
    return setPort === undefined
      ? { dashboardPort: null, dashboardUrl: url }
      : 'SVC_DASHBOARD_URL must be set outside sandbox, where SVC_DASHBOARD_PORT is'
  if (!isSandbox && !url.startsWith('https:')) return 'SVC_DASHBOARD_URL must be https outside sandbox'
  if (port === settings.SVC_PORT && port !== 0) return 'SVC_DASHBOARD_PORT must be another port than SVC_PORT'
  if (origins.some((other) => other.toLowerCase() === url.toLowerCase()))
    return 'SVC_DASHBOARD_URL must be another origin than SVC_BASE_URL, SVC_WIDGET_URL and SVC_WIDGET_ALIASES'
  return { dashboardPort: port, dashboardUrl: url }
}

/** Where the sandbox's bank is, whose pages authenticate test cards: the port of its listener, and the origin at which browsers reach it. */
export interface SandboxBankSettings {
  /** Null: it is not served. */
  sandboxBankPort: number | null
  /** Null: nobody is authenticated in the sandbox. */
  sandboxBankUrl: string | null
}

/** The settings of the sandbox's bank, as environment variables. */
export const sandboxBankVariables = {
  SVC_SANDBOX_BANK_PORT: v.optional(portNumber),
  SVC_SANDBOX_BANK_URL: v.optional(origin),
}

interface SandboxBankVariables {
  SVC_PORT: number
  SVC_ENVIRONMENT: string
  SVC_SANDBOX_BANK_PORT?: number | undefined
  SVC_SANDBOX_BANK_URL?: string | undefined
}

const DEFAULT_BANK_PORT = 8060

/** What listens at any free port, as tests have it, shares no origin. */
const isTaken = (url: string, origins: readonly string[]) =>
  !url.endsWith(':0') && origins.some((other) => other.toLowerCase() === url.toLowerCase())

/**
 * Where the sandbox's bank is, or in one line why these settings are refused. Production has no sandbox; elsewhere but in sandbox it is served
 * once its URL is set, as no listener opens that the operator did not ask for. `origins`: those of all else that is served.
 */
export function sandboxBankSettingsOf(
  settings: SandboxBankVariables,
  { dashboardPort }: Pick<DashboardSettings, 'dashboardPort'>,
  origins: readonly string[],
): SandboxBankSettings | string {
  const {
    SVC_SANDBOX_BANK_PORT: setPort,
    SVC_SANDBOX_BANK_URL: setUrl,
    SVC_ENVIRONMENT: environment,
  } = settings
  const none: SandboxBankSettings = { sandboxBankPort: null, sandboxBankUrl: null }
  if (environment === 'production_svc') return none
  if (setUrl === undefined && environment !== 'sandbox')
    return setPort === undefined
      ? none
      : 'SVC_SANDBOX_BANK_URL must be set outside sandbox, where SVC_SANDBOX_BANK_PORT is'
  const port = setPort ?? DEFAULT_BANK_PORT
  const url = setUrl ?? `http://localhost:${String(port)}`
  if (environment !== 'sandbox' && !url.startsWith('https:'))
    return 'SVC_SANDBOX_BANK_URL must be https outside sandbox'
  if (port !== 0 && [settings.SVC_PORT, dashboardPort].includes(port))
    return 'SVC_SANDBOX_BANK_PORT must be another port than SVC_PORT and SVC_DASHBOARD_PORT'
  if (isTaken(url, origins))
    return 'SVC_SANDBOX_BANK_URL must be another origin than those of the service, its forms and its dashboard'
  return { sandboxBankPort: port, sandboxBankUrl: url }
}
