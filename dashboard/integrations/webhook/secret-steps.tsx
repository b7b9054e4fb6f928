import { Button } from '../../parts/button.tsx'
import { Time } from '../../parts/time.tsx'
import { Steps } from '../../parts/timeline.tsx'
import { useWords } from '../../words/words.ts'
import styles from '../integrations.module.css'
import type { SecretRotation, WebhookSecret } from './webhook.rules.ts'
import { secretTexts } from './webhook-secrets.words.ts'

const order = ['prepare', 'activate', 'retire'] as const

type SecretStepsProps = {
  rotation: SecretRotation
  isPreparing: boolean
  onPrepare: (() => void) | undefined
  onActivate: ((secret: WebhookSecret) => void) | undefined
  onRetire: ((secret: WebhookSecret) => void) | undefined
}

/** The three steps from one secret to another; the next one has its buttons. */
export function SecretSteps({ rotation, isPreparing, onPrepare, onActivate, onRetire }: SecretStepsProps) {
  const text = useWords(secretTexts)
  const { step, prepared, current, retiring } = rotation
  const at = order.indexOf(step)
  const stateOf = (index: number) => (index < at ? 'done' : index === at ? 'next' : 'later')
  const buttons = {
    prepare: onPrepare && (
      <Button size="small" isBusy={isPreparing} onPress={onPrepare}>
        {text.prepareAction}
      </Button>
    ),
    activate: prepared && (
      <>
        {onActivate && (
          <Button size="small" onPress={() => onActivate(prepared)}>
            {text.activateAction}
          </Button>
        )}
        {onRetire && (
          <Button size="small" kind="quiet" onPress={() => onRetire(prepared)}>
            {text.discard}
          </Button>
        )}
      </>
    ),
    retire: retiring && (
      <>
        {onRetire && (
          <Button size="small" onPress={() => onRetire(retiring)}>
            {text.retireAction}
          </Button>
        )}
        {onActivate && (
          <Button size="small" kind="quiet" onPress={() => onActivate(retiring)}>
            {text.goBack}
          </Button>
        )}
      </>
    ),
  }
  const times = {
    prepare: prepared && { word: text.preparedAt, at: prepared.stateSince },
    activate: retiring && current && { word: text.activatedAt, at: current.stateSince },
    retire: undefined,
  }
  return (
    <>
      <Steps
        label={text.steps}
        steps={order.map((id, index) => {
          const time = times[id]
          return {
            id,
            title: text[id],
            state: stateOf(index),
            about: stateOf(index) === 'done' && time && (
              <>
                {time.word} <Time value={time.at} />
              </>
            ),
          }
        })}
      />
      <div className={styles.tight}>
        <p>{text[`${step}About`]}</p>
        <div className={styles.buttons}>{buttons[step]}</div>
      </div>
    </>
  )
}
