import type { VNode } from 'preact'
import { Button } from '../actions/button.tsx'
import { Icon } from '../icon.tsx'
import { dataTexts } from './texts.ts'
import './new-rows.css'

interface NewRowsProps {
  /** How many there are; 0 shows nothing. */
  count: number
  /** Such as "3 new charges". */
  words: string
  show: () => void
}

/** Says that a list has new rows, which appear when the person asks for them: nothing moves under the pointer. */
export function NewRows({ count, words, show }: NewRowsProps): VNode {
  return (
    <div class="new-rows" role="status">
      {count > 0 && (
        <p>
          <Icon name="clock" />
          {words}
          <Button tone="quiet" onClick={show}>
            {dataTexts.show}
          </Button>
        </p>
      )}
    </div>
  )
}
