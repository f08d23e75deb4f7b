import type { VNode } from 'preact'
import type { Failure } from '../../api/failure.ts'
import { Button } from '../actions/button.tsx'
import { Icon } from '../icon.tsx'
import { feedbackTexts } from './texts.ts'
import './feedback.css'

interface ErrorStateProps {
  failure: Failure
  retry: () => void
}

/** What could not be read, in its place, with a way to try again where that may help. */
export function ErrorState({ failure, retry }: ErrorStateProps): VNode {
  const { code, words, details } = failure
  const isWrongAddress = details.length > 0
  // What an id looks like helps nobody: it was copied wrongly.
  const filters = details.filter(({ path }) => path !== 'id')
  return (
    <div class="blank-state" role="alert">
      <span class="blank-mark bad">
        <Icon name="warning" />
      </span>
      <h2>{feedbackTexts.failed}</h2>
      <p>{isWrongAddress ? feedbackTexts.wrongAddress : words}</p>
      {filters.map(({ path, message }) => (
        <p key={path}>{message.replace(/^This\b/, path)}</p>
      ))}
      {!isWrongAddress && code !== 'not_found' && code !== 'forbidden' && (
        <Button onClick={retry}>{feedbackTexts.retry}</Button>
      )}
    </div>
  )
}
