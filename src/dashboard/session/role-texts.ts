import type { Role } from '../../contract/dashboard/people/role.ts'

/** Roles in words, for whoever chooses one. */
export const roleTexts: Readonly<Record<Role, { name: string; hint: string }>> = {
  owner: { name: 'Owner', hint: 'May do everything, and manages the team.' },
  developer: {
    name: 'Developer',
    hint: 'May do everything but manage the team: keys, webhooks, templates, captures, refunds.',
  },
  viewer: { name: 'Viewer', hint: 'Sees payments and settings, but no secrets. Changes nothing.' },
}
