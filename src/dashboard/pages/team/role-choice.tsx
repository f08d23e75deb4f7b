import type { VNode } from 'preact'
import { Role } from '../../../contract/dashboard/people/role.ts'
import { RadioGroup } from '../../components/form/radio-group.tsx'
import type { FormState } from '../../components/form/use-form.ts'
import { roleTexts } from '../../session/role-texts.ts'

interface RoleChoiceProps<Name extends string> {
  form: FormState<Name | 'role'>
  label: string
}

/** A choice among the roles, each with what it may do. */
export function RoleChoice<Name extends string>({ form, label }: RoleChoiceProps<Name>): VNode {
  const options = Role.options.map((role) => ({
    value: role,
    words: roleTexts[role].name,
    hint: roleTexts[role].hint,
  }))
  return <RadioGroup form={form} name="role" label={label} options={options} />
}
