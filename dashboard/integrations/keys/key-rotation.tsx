import { Button } from '../../parts/button.tsx'
import { Section } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { Steps } from '../../parts/timeline.tsx'
import { useWords } from '../../words/words.ts'
import type { ApplicationKey, Rotation } from './key.rules.ts'
import { keysTexts } from './keys.words.ts'

const order = ['create', 'use', 'revoke'] as const

/** The three steps from one key to another, with what the next one needs. */
export function KeyRotation({
  rotation,
  onCreate,
  onRevoke,
}: {
  rotation: Rotation
  onCreate: () => void
  onRevoke: (key: ApplicationKey) => void
}) {
  const text = useWords(keysTexts)
  const at = order.indexOf(rotation.step)
  const stateOf = (step: (typeof order)[number]) => {
    const index = order.indexOf(step)
    return index < at ? 'done' : index === at ? 'next' : 'later'
  }
  const { step } = rotation
  return (
    <Section title={text.rotation}>
      <Steps
        label={text.rotation}
        steps={[
          {
            id: 'create',
            title: text.stepCreate,
            state: stateOf('create'),
            about:
              step === 'create' ? (
                <NextButton onPress={onCreate}>{text.create}</NextButton>
              ) : (
                text.stepCreateAbout
              ),
          },
          {
            id: 'use',
            title: text.stepUse,
            state: stateOf('use'),
            about:
              step === 'use'
                ? text.stepUseWaits(rotation.next.name)
                : step === 'revoke' && (
                    <>
                      {text.stepUseSeen}: <Time value={rotation.next.lastUsedAt ?? ''} />
                    </>
                  ),
          },
          {
            id: 'revoke',
            title: text.stepRevoke,
            state: stateOf('revoke'),
            about: step !== 'create' && (
              <>
                {text.stepRevokeAbout(rotation.former.name)}:{' '}
                {rotation.former.lastUsedAt ? <Time value={rotation.former.lastUsedAt} /> : text.never}
                {step === 'revoke' && (
                  <NextButton onPress={() => onRevoke(rotation.former)}>
                    {text.revokeIt(rotation.former.name)}
                  </NextButton>
                )}
              </>
            ),
          },
        ]}
      />
    </Section>
  )
}

function NextButton({ onPress, children }: { onPress: () => void; children: string }) {
  return (
    <div>
      <Button size="small" onPress={onPress}>
        {children}
      </Button>
    </div>
  )
}
