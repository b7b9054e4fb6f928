import { useState } from 'react'
import { findPeople, unlockPerson } from '#contract/identity/operator.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { late } from '../../parts/late.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useWords } from '../../words/words.ts'
import type { FoundPerson } from './found-person.ts'
import { peopleTexts } from './people.words.ts'

const LockDialog = late(() => import('./lock-dialog.tsx').then(dialog => dialog.LockDialog))

/** An account: whether it is locked, why, and the way to change that. */
export function PersonCard({ person }: { person: FoundPerson }) {
  const text = useWords(peopleTexts)
  const { caller } = useOrganization()
  const [isLocking, setLocking] = useState(false)
  const { id, name, email, lockedAt, lockedReason } = person
  const isOwn = id === caller.person.id
  return (
    <>
      <Card
        title={name}
        actions={
          lockedAt !== null ? (
            <UnlockButton person={person} />
          ) : (
            <Button
              icon="lock"
              isDisabled={isOwn}
              onPress={() => setLocking(true)}
              onHoverStart={LockDialog.preload}
              onFocus={LockDialog.preload}
            >
              {text.lock}
            </Button>
          )
        }
      >
        <Facts
          facts={[
            { term: text.email, value: email },
            {
              term: text.state,
              value:
                lockedAt !== null ? (
                  <Status icon="lock" kind="danger">
                    {text.locked}
                  </Status>
                ) : (
                  <Status icon="done" kind="done">
                    {text.open}
                  </Status>
                ),
            },
            {
              term: text.since,
              value: lockedAt !== null && <Time value={lockedAt} form="moment" isFocusable />,
            },
            { term: text.reason, value: lockedReason },
            { term: text.id, value: <Id value={id} isShortened /> },
          ]}
        />
        {isOwn && <p>{text.you}</p>}
      </Card>
      {isLocking && <LockDialog person={person} onClose={() => setLocking(false)} />}
    </>
  )
}

function UnlockButton({ person: { id, name } }: { person: FoundPerson }) {
  const text = useWords(peopleTexts)
  const unlock = useAction(unlockPerson, { refreshes: [findPeople] })
  return (
    <Button
      isBusy={unlock.isPending}
      onPress={() =>
        unlock.mutate(
          { params: { id } },
          {
            toast: () => text.isUnlocked(name),
            toastsFailure: true,
          },
        )
      }
    >
      {text.unlock}
    </Button>
  )
}
