import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { Email } from '../../../contract/dashboard/people/credentials.ts'
import { Role } from '../../../contract/dashboard/people/role.ts'
import type { ListedUser } from '../../domains/users/account-store.ts'
import type { Command, CommandContext } from '../command.ts'

export const addUser: Command = {
  name: 'add-user',
  usage: `add-user MERCHANT_ID EMAIL owner|developer|viewer
      shows a link, good once within seven days, by which a person joins a merchant's team at the dashboard`,
  async run({ config, users, say }, [merchantId, email, role, ...more]) {
    const wanted = v.safeParse(v.object({ email: Email, role: Role }), { email, role })
    if (merchantId === undefined || more.length > 0 || !wanted.success) return 2
    if (!hasDashboard(config, say)) return 1
    const made = await users.invite(merchantId, wanted.output.email, wanted.output.role)
    if (typeof made === 'object') return sayLink(made, say)
    say(
      made === 'no_merchant'
        ? `There is no merchant ${merchantId}.`
        : `${wanted.output.email} is in that team already.`,
    )
    return 1
  },
}

export const listUsers: Command = {
  name: 'list-users',
  usage: `list-users
      lists who may sign in to the dashboard, with a line for each team that a person is in`,
  async run({ users, say }, parameters) {
    if (parameters.length > 0) return 2
    const all = await users.list()
    for (const user of all) say(lineOf(user))
    if (all.length === 0) say('Nobody can sign in yet: add-user makes a link for the first.')
    return 0
  },
}

function lineOf({ email, merchantId, role, hasSecondFactor, seenAt }: ListedUser): string {
  const team = merchantId === null ? 'in no team' : `${role ?? ''} of ${merchantId}`
  const factors = hasSecondFactor ? 'with a second factor' : 'password only'
  return `${email}  ${team}  ${factors}  ${seenAt === null ? 'not seen yet' : `seen ${seenAt.toISOString()}`}`
}

export const removeUser: Command = {
  name: 'remove-user',
  usage: `remove-user EMAIL
      ends at once all that a person could do at the dashboard, in every team, with every open invitation to that address`,
  async run({ users, say }, [given, ...more]) {
    const email = v.safeParse(Email, given)
    if (!email.success || more.length > 0) return 2
    const removed = await users.remove(email.output)
    if (removed === null) return sayUnknown(email.output, say)
    say(`${email.output} cannot sign in any more.`)
    for (const merchantId of removed.withoutOwner)
      say(
        `Merchant ${merchantId} has no owner now: add-user ${merchantId} EMAIL owner makes a link for another.`,
      )
    return 0
  },
}

export const resetUser: Command = {
  name: 'reset-user',
  usage: `reset-user EMAIL [--second-factor]
      ends a person's password, sessions and open invitations to others, and with --second-factor the authenticator app,
      passkeys and recovery codes; shows a link, good once within seven days, by which the person sets a new password`,
  async run({ config, users, say }, parameters) {
    const { values, positionals } = parseArgs({
      args: parameters,
      allowPositionals: true,
      options: { 'second-factor': { type: 'boolean', default: false } },
    })
    const [given, ...more] = positionals
    const email = v.safeParse(Email, given)
    if (!email.success || more.length > 0) return 2
    if (!hasDashboard(config, say)) return 1
    const reset = await users.reset(email.output, { secondFactors: values['second-factor'] })
    if (reset === null) return sayUnknown(email.output, say)
    const revoked = reset.revoked.map(({ merchantId: merchant_id, email: to, role }) => {
      return { merchant_id, email: to, role }
    })
    return sayLink(reset, say, {
      second_factors_kept: reset.secondFactorsKept,
      revoked_invitations: revoked,
    })
  },
}

/** A link is useless where no dashboard is served. */
function hasDashboard({ dashboardPort }: CommandContext['config'], say: CommandContext['say']): boolean {
  if (dashboardPort === null) say('There is no dashboard: set SVC_DASHBOARD_URL, for the service too.')
  return dashboardPort !== null
}

function sayUnknown(email: string, say: CommandContext['say']): number {
  say(`${email} is in no team.`)
  return 1
}

function sayLink(
  { link, endsAt }: { link: string; endsAt: Date },
  say: CommandContext['say'],
  more: object = {},
): number {
  say(JSON.stringify({ link, expires_at: endsAt.toISOString(), ...more }, null, 2))
  return 0
}
