import { useState } from 'react'
import { createKey, listKeys, revokeKey } from '#contract/integrations/keys.ts'
import { limits } from '#contract/limits.ts'
import { useCreateAction } from '../../data/create-action.ts'
import { textOfError } from '../../data/errors.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { useMinute } from '../../parts/clock.ts'
import { late } from '../../parts/late.tsx'
import { Section } from '../../parts/page.tsx'
import { Empty, Notice, Problem, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { Application } from '../application.ts'
import { ApplicationFrame, useApplication } from '../application-frame.tsx'
import { GrantObstacleText } from '../grant-obstacle.tsx'
import { grantObstacleOf } from '../grant-rights.rules.ts'
import styles from '../integrations.module.css'
import { type ApplicationKey, isActive, rotationOf } from './key.rules.ts'
import { EndedKeys, KeyCard } from './key-parts.tsx'
import { KeyRotation } from './key-rotation.tsx'
import { keysTexts } from './keys.words.ts'

const KeyDialog = late(() => import('./key-dialog.tsx').then(dialog => dialog.KeyDialog))
const RevokeKeyDialog = late(() => import('./revoke-key-dialog.tsx').then(dialog => dialog.RevokeKeyDialog))

/** How often the first use of a new key is looked for while it is awaited. */
const firstUseMs = 2_000

/** The keys of an application: at most two that work, so that one can replace the other (KEY-2). */
export function ApplicationKeys() {
  const text = useWords(keysTexts)
  const { caller } = useOrganization()
  const may = useMay()
  const { applicationId, data: application } = useApplication()
  const [isCreating, setCreating] = useState(false)
  const [revoked, setRevoked] = useState<ApplicationKey>()
  const { active, ended, list } = useKeys(applicationId)
  const obstacle = application && grantObstacleOf(caller, application)
  const isFull = active.length >= limits.applicationKeys
  const mayCreate = may(createKey) && application !== undefined && obstacle === undefined
  const create = () => setCreating(true)
  const isPossible = mayCreate && !isFull && !list.isLoading
  useCreateAction('create-key', text.create, text.title, isPossible && create)
  const button = mayCreate && (
    <Button
      kind="primary"
      icon="plus"
      shortcut="c"
      isDisabled={isFull}
      onPress={create}
      onHoverStart={KeyDialog.preload}
    >
      {text.create}
    </Button>
  )
  return (
    <ApplicationFrame tab="keys" actions={button}>
      {({ liveKeys }) => (
        <>
          {obstacle && (
            <div className={styles.note}>
              <Notice>
                <GrantObstacleText obstacle={obstacle} />
              </Notice>
            </div>
          )}
          <KeyList
            active={active}
            list={list}
            onCreate={isPossible ? create : undefined}
            onRevoke={may(revokeKey) ? setRevoked : undefined}
            isFull={isFull}
          />
          {liveKeys > 0 && active.length > 0 && mayCreate && (
            <KeyRotation rotation={rotationOf(active)} onCreate={create} onRevoke={setRevoked} />
          )}
          <EndedKeys keys={ended} />
          <KeyDialogs
            application={application}
            isCreating={isCreating}
            revoked={revoked}
            onClose={() => {
              setCreating(false)
              setRevoked(undefined)
            }}
          />
        </>
      )}
    </ApplicationFrame>
  )
}

/** The keys that work and those that ended. While a new one waits for its first use, they are read again. */
function useKeys(applicationId: string) {
  const [isWaiting, setWaiting] = useState(false)
  const list = useList(listKeys, { params: { id: applicationId } }, isWaiting ? { pollMs: firstUseMs } : {})
  const now = useMinute()
  const active = list.items.filter(key => isActive(key, now))
  const waits = rotationOf(active).step === 'use'
  if (waits !== isWaiting) setWaiting(waits)
  return { active, ended: list.items.filter(key => !isActive(key, now)), list }
}

function KeyList({
  active,
  list: { isLoading, error, reload },
  onCreate,
  onRevoke,
  isFull,
}: {
  active: readonly ApplicationKey[]
  list: ReturnType<typeof useKeys>['list']
  onCreate: (() => void) | undefined
  onRevoke: ((key: ApplicationKey) => void) | undefined
  isFull: boolean
}) {
  const text = useWords(keysTexts)
  const language = useLanguage()
  if (isLoading) return <Skeleton rows={4} label={text.reading} />
  if (error)
    return (
      <Problem title={textOfError(error, language)} action={<Button onPress={reload}>{text.again}</Button>} />
    )
  if (active.length === 0)
    return (
      <Empty title={text.empty} action={onCreate && <Button onPress={onCreate}>{text.create}</Button>}>
        {text.emptyAbout}
      </Empty>
    )
  return (
    <Section title={text.title} about={isFull ? text.two : text.about}>
      <div className={styles.stack}>
        {active.map(key => (
          <KeyCard key={key.id} apiKey={key} onRevoke={onRevoke && (() => onRevoke(key))} />
        ))}
      </div>
    </Section>
  )
}

function KeyDialogs({
  application,
  isCreating,
  revoked,
  onClose,
}: {
  application: Application | undefined
  isCreating: boolean
  revoked: ApplicationKey | undefined
  onClose: () => void
}) {
  if (!application) return null
  return (
    <>
      {isCreating && <KeyDialog application={application} onClose={onClose} />}
      {revoked && <RevokeKeyDialog applicationId={application.id} apiKey={revoked} onClose={onClose} />}
    </>
  )
}
