import type { Role } from '../../contract/dashboard/people/role.ts'

/** Roles in words, for whoever chooses one. */
export const roleTexts: Readonly<Record<Role, { name: string; hint: string }>> = {
  owner: { name: 'Owner', hint: 'Everything, the team too.' },
  developer: {
    name: 'Developer',
    hint: 'Everything but the team: keys, webhooks, templates, captures and refunds.',
  },
  viewer: { name: 'Viewer', hint: 'Sees payments and settings, changes nothing, sees no secret.' },
}
