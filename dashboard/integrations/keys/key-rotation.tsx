import { Button } from '../../parts/button.tsx'
import { Section } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { Steps } from '../../parts/timeline.tsx'
import { useWords } from '../../words/words.ts'
import styles from '../integrations.module.css'
import type { ApplicationKey, Rotation } from './key.rules.ts'
import { keysTexts } from './keys.words.ts'

const order = ['create', 'use', 'revoke'] as const

type KeyRotationProps = {
  rotation: Rotation
  onCreate: () => void
  onRevoke: (key: ApplicationKey) => void
}

/** The three steps from one key to another, with what the next one needs. */
export function KeyRotation({ rotation, onCreate, onRevoke }: KeyRotationProps) {
  const text = useWords(keysTexts)
  const at = order.indexOf(rotation.step)
  const stateOf = (step: (typeof order)[number]) => {
    const index = order.indexOf(step)
    return index < at ? 'done' : index === at ? 'next' : 'later'
  }
  const { step } = rotation
  return (
    <Section title={text.rotation}>
      <div className={styles.stack}>
        <Steps
          label={text.rotation}
          steps={[
            { id: 'create', title: text.stepCreate, state: stateOf('create') },
            {
              id: 'use',
              title: text.stepUse,
              state: stateOf('use'),
              about: step === 'revoke' && (
                <>
                  {text.stepUseSeen}: <Time value={rotation.next.lastUsedAt ?? ''} />
                </>
              ),
            },
            {
              id: 'revoke',
              title: text.stepRevoke,
              state: stateOf('revoke'),
              about: step !== 'create' && rotation.former.lastUsedAt && (
                <>
                  {text.lastUse}: <Time value={rotation.former.lastUsedAt} />
                </>
              ),
            },
          ]}
        />
        <NextStep rotation={rotation} onCreate={onCreate} onRevoke={onRevoke} />
      </div>
    </Section>
  )
}

/** The requirement of the next step. */
function NextStep({ rotation, onCreate, onRevoke }: KeyRotationProps) {
  const text = useWords(keysTexts)
  if (rotation.step === 'create')
    return (
      <div className={styles.tight}>
        <p>{text.stepCreateAbout}</p>
        <div className={styles.buttons}>
          <Button size="small" onPress={onCreate}>
            {text.create}
          </Button>
        </div>
      </div>
    )
  const { step, former, next } = rotation
  if (step === 'use') return <p>{text.stepUseWaits(next.name)}</p>
  return (
    <div className={styles.tight}>
      <p>{text.stepRevokeAbout(next.name, former.name)}</p>
      <div className={styles.buttons}>
        <Button size="small" aria-label={text.revokeFormer(former.name)} onPress={() => onRevoke(former)}>
          {text.revokeIt(former.name)}
        </Button>
      </div>
    </div>
  )
}
