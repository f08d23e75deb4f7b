import type { ComponentChildren, VNode } from 'preact'
import { Icon } from '../icon.tsx'
import { formTexts } from './texts.ts'
import './form.css'

/** What every field has. */
export interface FieldProps {
  label: string
  /** What to write, below the field. */
  hint?: ComponentChildren
  isOptional?: boolean
}

interface FieldFrameProps extends FieldProps {
  id: string
  fault: string | undefined
  children: ComponentChildren
}

/** A field's label, hint and fault around its control, whose attributes are `bound` of `useField`. */
export function FieldFrame({ id, label, hint, isOptional, fault, children }: FieldFrameProps): VNode {
  return (
    <div class="field">
      <label for={id}>
        {label}
        {isOptional === true && <span class="soft"> ({formTexts.optional})</span>}
      </label>
      {children}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <p class="fault" id={`${id}-fault`}>
        {fault !== undefined && (
          <>
            <Icon name="warning" /> {fault}
          </>
        )}
      </p>
    </div>
  )
}
