import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { endOtherSessions, endSession, listSessions } from '../../data/account.ts'
import { textOfError } from '../../data/errors.ts'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Page } from '../../parts/page.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { Tag } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { deviceOf } from './device.ts'
import styles from './person.module.css'
import { personTexts } from './person.words.ts'

/** Where the person is signed in. */
export function Sessions() {
  const text = useWords(personTexts)
  const language = useLanguage()
  const cache = useQueryClient()
  const sessions = useQuery({ queryKey: ['account-sessions'], queryFn: listSessions })
  const reload = () => cache.invalidateQueries({ queryKey: ['account-sessions'] })
  const showFailure = (error: unknown) => showToast({ kind: 'failed', text: textOfError(error, language) })
  const end = useMutation({
    mutationFn: endSession,
    onError: showFailure,
    onSuccess: () => {
      showToast({ text: text.ended })
      return reload()
    },
  })
  const endOthers = useMutation({
    mutationFn: endOtherSessions,
    onError: showFailure,
    onSuccess: () => {
      showToast({ text: text.othersEnded })
      return reload()
    },
  })
  const hasOthers = sessions.data?.some(({ isCurrent }) => !isCurrent)
  return (
    <Page
      title={text.sessions}
      actions={
        hasOthers && (
          <Button isBusy={endOthers.isPending} onPress={() => endOthers.mutate()}>
            {text.endOthers}
          </Button>
        )
      }
    >
      {sessions.isPending && <Skeleton label={text.reading} />}
      {sessions.error && <Problem title={textOfError(sessions.error, language)} />}
      <p className={styles.about}>{text.sessionsAbout}</p>
      <ul>
        {sessions.data?.map(({ id, userAgent, ipAddress, createdAt, isCurrent }) => (
          <li key={id} className={styles.row}>
            <Icon name="device" />
            <span className={styles.rowText}>
              <span className={styles.rowName}>
                {deviceOf(userAgent) ?? text.unknownDevice}{' '}
                {isCurrent && <Tag kind="done">{text.thisSession}</Tag>}
              </span>
              <span className={styles.quiet}>
                {ipAddress && `${ipAddress} · `}
                {text.since} <Time value={createdAt} form="moment" />
              </span>
            </span>
            {!isCurrent && (
              <Button
                size="small"
                isBusy={end.isPending && end.variables === id}
                onPress={() => end.mutate(id)}
              >
                {text.end}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Page>
  )
}
