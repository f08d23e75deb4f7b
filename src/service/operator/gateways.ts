import { Argument } from '@commander-js/extra-typings'
import * as v from 'valibot'
import {
  accountCredentials,
  gatewayKindOf,
  GATEWAY_TYPES,
  readCredentials,
} from '../domains/gateways/gateway-accounts.ts'
import { AUTHENTICATION_WISHES } from '../../contract/api/charges/authentication.ts'
import type { AccountCredentials, GatewayKind, NotificationSetup } from '../domains/gateways/gateway.ts'
import type { MerchantGateway } from '../domains/merchants/gateway-store.ts'
import type { GatewayRemoval, KeptCredentials } from '../domains/merchants/gateways.ts'
import {
  addSigningKey,
  findNotifiedAccount,
  makePassword,
} from '../domains/notifications/notification-secrets.ts'
import type { SecretsChangeDeps } from '../domains/notifications/notification-secrets.ts'
import { monotonicClock } from '../platform/clocks.ts'
import { startDatabaseClock } from '../platform/database/database-clock.ts'
import { createIds } from '../platform/identifiers.ts'
import { MissingKey } from '../platform/vault/key-stores/master-keys.ts'
import { masterKeySource } from '../platform/vault/key-stores/open-master-keys.ts'
import { openServiceSecrets } from '../platform/vault/service-secrets.ts'
import {
  actor,
  CommandFault,
  exampleText,
  group,
  JSON_OPTION,
  MERCHANT_ID,
  nameOf,
  noMerchant,
} from './command.ts'
import type { CommandContext, OnDatabase } from './command.ts'

const GATEWAY_ID = 'the id of one of its gateways: svc gateways list MERCHANT_ID'
const IDS = '65b0c1f2e4a7d83b5c9f0a12 65b0c1f2e4a7d83b5c9f0a34'
const ACCOUNT_OPTION = ['--merchant-account <ACCOUNT>', 'the account at the gateway'] as const
const URL_OPTION = [
  '--url <URL>',
  "the account's API; if left out, Adyen's test server or Stripe's own. A live account at Adyen has one of its own",
] as const

export function gatewayCommands(onDatabase: OnDatabase) {
  const gateways = group(
    'gateways',
    "a merchant's accounts at payment gateways",
    'svc gateways list 65b0c1f2e4a7d83b5c9f0a12',
  )
  addAdd(gateways, onDatabase)
  gateways
    .command('list')
    .description("Lists a merchant's gateways. What was entered for them is shown to nobody.")
    .argument('<MERCHANT_ID>', MERCHANT_ID)
    .option(...JSON_OPTION)
    .addHelpText('after', exampleText('svc gateways list 65b0c1f2e4a7d83b5c9f0a12'))
    .action(
      onDatabase(async ({ merchants, output }, merchantId, format) => {
        if ((await merchants.read(merchantId)) === null) throw noMerchant(merchantId)
        const found = await merchants.gateways(merchantId)
        output.show(format, { gateways: found.map(gatewayDocument) }, found.map(lineOf))
        if (found.length === 0)
          output.note(`Merchant ${merchantId} has no gateways: svc gateways add gives it one.`)
      }),
    )
  addChange(gateways, onDatabase)
  addNotifications(gateways, onDatabase)
  gateways
    .command('set-default')
    .description('Sends what names no gateway to this one from now on; running services follow within 5 s.')
    .argument('<MERCHANT_ID>', MERCHANT_ID)
    .argument('<GATEWAY_ID>', GATEWAY_ID)
    .addHelpText('after', exampleText(`svc gateways set-default ${IDS}`))
    .action(
      onDatabase(async ({ merchants, output }, merchantId, gatewayId) => {
        if (!(await merchants.makeDefault(merchantId, gatewayId))) throw unknown(merchantId, gatewayId)
        output.line(`Gateway ${gatewayId} is the default.`)
      }),
    )
  addSetAuthentication(gateways, onDatabase)
  gateways
    .command('remove')
    .description(
      'Removes a gateway that has taken no payment, once no running service remembers it, 6 s later. One that has stays for captures and refunds.',
    )
    .argument('<MERCHANT_ID>', MERCHANT_ID)
    .argument('<GATEWAY_ID>', GATEWAY_ID)
    .addHelpText('after', exampleText(`svc gateways remove ${IDS}`))
    .action(onDatabase(remove))
  return gateways
}

function addAdd(gateways: ReturnType<typeof group>, onDatabase: OnDatabase): void {
  gateways
    .command('add')
    .description('Gives a merchant a gateway. The API key comes by standard input and is kept encrypted.')
    .argument('<MERCHANT_ID>', MERCHANT_ID)
    .addArgument(new Argument('<TYPE>', 'the kind of gateway').choices(GATEWAY_TYPES))
    .requiredOption(...ACCOUNT_OPTION)
    .option(...URL_OPTION)
    .option('--name <NAME>', "what it is called on the dashboard; if left out, the gateway's name", nameOf)
    .option('--default', 'send to it what names no gateway')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      exampleText(
        'svc gateways add 65b0c1f2e4a7d83b5c9f0a12 adyen --merchant-account AcmeECOM --default < api-key.txt',
      ),
    )
    .action(
      onDatabase(async (context, merchantId, type, options) => {
        const { merchantAccount, url, name, default: isDefault = false, json } = options
        const kind = knownKind(type)
        const credentials = await enteredAccount(context, kind, merchantAccount, url)
        const gateway = { name: name ?? kind.name, type, isDefault, credentials }
        const gatewayId = await context.merchants.addGateway(merchantId, gateway)
        if (gatewayId === null) throw noMerchant(merchantId)
        context.output.show({ json }, { gateway_id: gatewayId })
      }),
    )
}

function addSetAuthentication(gateways: ReturnType<typeof group>, onDatabase: OnDatabase): void {
  gateways
    .command('set-authentication')
    .description(
      'Says whether the card holders of a gateway are authenticated (3-D Secure), where neither the request nor the template says so. Running services follow within 5 s.',
    )
    .argument('<MERCHANT_ID>', MERCHANT_ID)
    .argument('<GATEWAY_ID>', GATEWAY_ID)
    .addArgument(
      new Argument(
        '<WISH>',
        'automatic: where a rule or the bank wants it; challenge: with a question, wherever the bank can; never: a bank that insists declines',
      ).choices(AUTHENTICATION_WISHES),
    )
    .addHelpText('after', exampleText(`svc gateways set-authentication ${IDS} challenge`))
    .action(
      onDatabase(async ({ merchants, output }, merchantId, gatewayId, wish) => {
        if (!(await merchants.changeAuthentication(merchantId, gatewayId, wish)))
          throw unknown(merchantId, gatewayId)
        output.line(`Card holders of gateway ${gatewayId} are authenticated: ${wish}.`)
      }),
    )
}

function addChange(gateways: ReturnType<typeof group>, onDatabase: OnDatabase): void {
  gateways
    .command('change')
    .description(
      'Gives a gateway another API key, by standard input, and running services follow within 5 s. Until it has taken a payment, also another account; for 6 s it takes no payment then.',
    )
    .argument('<MERCHANT_ID>', MERCHANT_ID)
    .argument('<GATEWAY_ID>', GATEWAY_ID)
    .requiredOption(...ACCOUNT_OPTION)
    .option(...URL_OPTION)
    .addHelpText('after', exampleText(`svc gateways change ${IDS} --merchant-account AcmeECOM < api-key.txt`))
    .action(
      onDatabase(async (context, merchantId, gatewayId, { merchantAccount, url }) => {
        const known = (await context.merchants.gateways(merchantId)).find(({ id }) => id === gatewayId)
        const kind = gatewayKindOf(known?.type ?? '')
        if (kind === undefined) throw withoutAccount(merchantId, gatewayId)
        const credentials = await enteredAccount(context, kind, merchantAccount, url)
        const outcome = await change(context, kind, { merchantId, gatewayId }, credentials)
        if (outcome === 'unknown') throw withoutAccount(merchantId, gatewayId)
        if (outcome !== 'changed')
          throw new CommandFault(
            {
              used: `Gateway ${gatewayId} has taken payments, which can be captured and refunded only at its account and URL: svc gateways add adds another.`,
              overtaken: overtakenMessage(gatewayId),
            }[outcome],
          )
        context.output.line(
          `Gateway ${gatewayId} has the new account; running services follow within 5 seconds.`,
        )
      }),
    )
}

function knownKind(type: string): GatewayKind {
  const kind = gatewayKindOf(type)
  if (kind === undefined) throw new CommandFault(`There is no gateway of type ${type}.`)
  return kind
}

const withoutAccount = (merchantId: string, gatewayId: string) =>
  new CommandFault(`Merchant ${merchantId} has no gateway ${gatewayId} that an account is entered for.`)

function addNotifications(gateways: ReturnType<typeof group>, onDatabase: OnDatabase): void {
  gateways
    .command('notifications')
    .description(
      'Sets up what a gateway tells of its own accord: shows the address to enter there, with user and password where it sends them, once; or takes the key by which it signs.',
    )
    .argument('<MERCHANT_ID>', MERCHANT_ID)
    .argument('<GATEWAY_ID>', GATEWAY_ID)
    .option(
      '--signing-key',
      'read the key that the gateway has made from standard input; the one before stays good',
    )
    .option('--new-password', 'make another user and password in place of those that were shown')
    .option(...JSON_OPTION)
    .addHelpText('after', exampleText(`svc gateways notifications ${IDS}`))
    .action(
      onDatabase(async (context, merchantId, gatewayId, { signingKey, newPassword, json }) => {
        const { merchants, database, output, textVault } = context
        const known = await merchants.gateways(merchantId)
        const gateway = known.find(({ id }) => id === gatewayId)
        if (gateway === undefined) throw unknown(merchantId, gatewayId)
        const setup = gatewayKindOf(gateway.type)?.setup ?? null
        if (setup === null)
          throw new CommandFault(
            gateway.type === 'sandbox'
              ? 'The sandbox is part of this service: it sends no notifications.'
              : `A gateway of type ${gateway.type} sends no notifications.`,
          )
        const createId = createIds(await startDatabaseClock(database, monotonicClock))
        const deps = { database, textVault, createId, actor: actor() }
        await openServiceSecrets(database, await masterKeySource(context.config)())
        if (signingKey === true) {
          await addSigningKey(deps, gatewayId, signingKeyOf(setup, await context.readSecret()))
          output.line(`Gateway ${gatewayId} may sign with this key now; running services follow within 5 s.`)
          return
        }
        const url = `${context.config.baseUrl}/gateways/${gatewayId}/notifications`
        if (!setup.hasPassword && newPassword === true)
          throw new CommandFault('This gateway sends no password: it signs with its key alone.')
        const made = setup.hasPassword ? await firstPassword(deps, gatewayId, newPassword) : {}
        if (made === null) throw unknown(merchantId, gatewayId)
        output.show({ json }, { url, ...made })
        for (const [index, step] of setup.steps.entries()) output.note(`${String(index + 1)}. ${step}`)
        output.note(`Events: ${setup.events.join(', ')}.`)
        output.note(
          `Then give the ${inSentence(setup.signingKey.name)} to svc gateways notifications --signing-key.`,
        )
      }),
    )
}

/** Makes the password that is shown once. Throws a `CommandFault` where one was made, unless another is wanted. */
async function firstPassword(deps: SecretsChangeDeps, gatewayId: string, isNew: true | undefined) {
  const kept = await findNotifiedAccount(deps, gatewayId)
  if (kept !== null && kept.secrets.password !== '' && isNew !== true)
    throw new CommandFault(
      `The password of gateway ${gatewayId} was shown when it was made; its secrets were last changed ${kept.changedAt.toISOString()}. --new-password makes another one, --signing-key takes the gateway's key.`,
    )
  return makePassword(deps, gatewayId)
}

/** Throws a `CommandFault` for what can't be a key of the gateway; it does not repeat it. */
function signingKeyOf({ signingKey: { name, finding, faultOf } }: NotificationSetup, given: string): string {
  const fault = faultOf(given)
  if (fault === null) return given
  throw new CommandFault(`The ${inSentence(name)} ${fault}. ${finding}`)
}

/** A name as it stands within a sentence: `HMAC key` stays, `Signing secret` does not begin with a capital. */
const inSentence = (name: string) => name.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())

/** The account to be stored, with its API key from standard input. Throws a `CommandFault` that says what is wrong. */
async function enteredAccount(
  { config, database, readSecret }: CommandContext,
  kind: GatewayKind,
  account: string,
  url: string = kind.servers.usual,
): Promise<AccountCredentials> {
  const wanted = { api_key: await readSecret(), merchant_account: account, base_url: url }
  const entered = readCredentials(kind, wanted)
  if ('message' in entered) throw new CommandFault(wordsOf(kind, entered))
  await openServiceSecrets(database, await masterKeySource(config)())
  return entered.credentials
}

/** Says what is wrong without repeating what was entered. */
function wordsOf({ words }: GatewayKind, { path, message }: { path: string; message: string }): string {
  const names: Record<string, string> = {
    api_key: `The ${inSentence(words.api_key)}`,
    base_url: '--url',
    merchant_account: '--merchant-account',
  }
  return `${names[path] ?? path} ${message}.`
}

interface OfMerchant {
  merchantId: string
  gatewayId: string
}

/**
 * A gateway that has taken a payment has to keep its account's place: at another one a payment of unknown outcome would count as
 * never received. Credentials under a lost master key can't be read, and so not be compared.
 */
async function change(
  context: CommandContext,
  { placeOf }: GatewayKind,
  gateway: OfMerchant,
  next: AccountCredentials,
): Promise<'changed' | 'unknown' | 'used' | 'overtaken'> {
  const { merchants } = context
  const { merchantId, gatewayId } = gateway
  const entered = await merchants.keptCredentials(merchantId, gatewayId)
  if (entered === null) return 'unknown'
  const kept = await keptAccountOf(entered)
  const isMoved = kept !== null && placeOf(kept.account) !== placeOf(next)
  const left = isMoved
    ? await leaveAccount(context, gateway, kept, entered.sealed)
    : { taken: entered.sealed }
  if (typeof left === 'string') return left
  const changed = await merchants.changeCredentials(merchantId, gatewayId, left.taken, next)
  return changed === null ? 'overtaken' : 'changed'
}

async function remove(context: CommandContext, merchantId: string, gatewayId: string): Promise<void> {
  const outcome = await removeUnused(context, { merchantId, gatewayId })
  switch (outcome) {
    case 'removed':
      context.output.line(`Gateway ${gatewayId} is removed.`)
      return
    case 'not_found':
      throw unknown(merchantId, gatewayId)
    case 'default':
      throw new CommandFault(
        `Gateway ${gatewayId} is the default: svc gateways set-default makes another one that.`,
      )
    case 'used':
      throw new CommandFault(
        `Gateway ${gatewayId} has taken payments, which can be captured and refunded only there. It stays.`,
      )
    case 'overtaken':
      throw new CommandFault(overtakenMessage(gatewayId))
    case 'unreadable':
      throw new CommandFault(
        `What was entered for gateway ${gatewayId} can't be read. Run this with the master keys of the running services; where the key is lost, svc gateways change enters the account anew.`,
      )
  }
}

/**
 * A gateway that has taken payments is not removed: they could then be neither captured nor refunded. Nor is one whose account this
 * command can't read: a running service that can might go on using it.
 */
async function removeUnused(
  context: CommandContext,
  gateway: OfMerchant,
): Promise<GatewayRemoval | 'unreadable'> {
  const { merchants } = context
  const { merchantId, gatewayId } = gateway
  const known = await merchants.gateways(merchantId)
  if (known.length > 1 && known.some(({ id, isDefault }) => isDefault && id === gatewayId)) return 'default'
  const entered = await merchants.keptCredentials(merchantId, gatewayId)
  if (entered === null) return merchants.removeGateway(merchantId, gatewayId, null)
  const kept = await keptAccountOf(entered)
  if (kept === null) return 'unreadable'
  const left = await leaveAccount(context, gateway, kept, entered.sealed)
  if (typeof left === 'string') return left
  const outcome = await merchants.removeGateway(merchantId, gatewayId, left.taken)
  if (outcome !== 'removed')
    await merchants.changeCredentials(merchantId, gatewayId, left.taken, kept.account)
  return outcome
}

export const gatewayDocument = ({ id, type, name, isDefault, authentication }: MerchantGateway) => ({
  gateway_id: id,
  type,
  name,
  is_default: isDefault,
  authentication,
})

const lineOf = ({ id, type, name, isDefault, authentication }: MerchantGateway) =>
  `${id}  ${type}  ${name}${isDefault ? '  default' : ''}${authentication === 'automatic' ? '' : `  3-D Secure: ${authentication}`}`

const unknown = (merchantId: string, gatewayId: string) =>
  new CommandFault(`Merchant ${merchantId} has no gateway ${gatewayId}.`)

/** What the database has in place of an account that is taken from running services: they find no account in this form, and it can be given back. */
const TakenAccount = v.object({ taken: accountCredentials })

interface KeptAccount {
  account: AccountCredentials
  /** An earlier command has taken it from running services, and was interrupted or still waits. */
  isTaken: boolean
}

/** The account that was entered for a gateway; null if its master key is missing. */
async function keptAccountOf({ open }: KeptCredentials): Promise<KeptAccount | null> {
  const kept = await open().catch((error: unknown) => {
    if (error instanceof MissingKey) return null
    throw error
  })
  const taken = v.safeParse(TakenAccount, kept)
  if (taken.success) return { account: taken.output.taken, isTaken: true }
  const account = v.safeParse(accountCredentials, kept)
  return account.success ? { account: account.output, isTaken: false } : null
}

/** Longer than running services cache an account. */
const FORGOTTEN_MS = 6000

/**
 * Takes a gateway's account from running services, and makes sure that no payment was begun with it and none will be:
 *
 * 1. If the account has a payment, the answer is `used`.
 * 2. A mark takes the place of its credentials.
 * 3. Services cache an account for some seconds: wait until none can have it.
 * 4. If there is a payment now, the credentials are put back, and the answer is `used`; otherwise it is the mark.
 *
 * Each step changes the credentials only if they are still as the step before left them (`asRead`: as they were read at first). Otherwise another
 * command has taken the account since, which goes on, and the answer is `overtaken`.
 */
async function leaveAccount(
  { merchants, output, sleep }: Pick<CommandContext, 'merchants' | 'output' | 'sleep'>,
  { merchantId, gatewayId }: OfMerchant,
  { account, isTaken }: KeptAccount,
  asRead: Buffer,
): Promise<{ taken: Buffer } | 'used' | 'overtaken'> {
  const isUsed = () => merchants.hasPayment(merchantId, gatewayId)
  const change = (was: Buffer, next: unknown) => merchants.changeCredentials(merchantId, gatewayId, was, next)
  if (await isUsed()) {
    if (isTaken) await change(asRead, account)
    return 'used'
  }
  output.note(`Gateway ${gatewayId} takes no payment for 6 seconds. If this is interrupted, run it again.`)
  const taken = await change(asRead, { taken: account })
  if (taken === null) return 'overtaken'
  await sleep(FORGOTTEN_MS)
  if (!(await isUsed())) return { taken }
  return (await change(taken, account)) === null ? 'overtaken' : 'used'
}

/** Tells an operator that another command changed the gateway while this one was at work. */
function overtakenMessage(gatewayId: string): string {
  return `Another command has changed gateway ${gatewayId} meanwhile, and this one left it so. See svc gateways list, and run this again if it is still wanted.`
}
