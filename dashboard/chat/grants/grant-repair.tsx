import { Link } from 'react-aria-components'
import type { Grant } from '#contract/chat/grants.ts'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/states.tsx'
import { useWords } from '../../words/words.ts'
import styles from './grants.module.css'
import { grantTexts } from './grants.words.ts'
import { hasLostCapability, isRepairedByCaller } from './sight.rules.ts'
import type { useGrantActions } from './use-grant-actions.ts'

/** Why a grant has no effect, or only a part of it (GRT-8), and how that is repaired. */
export function GrantRepair({
  grant,
  mayGive,
  actions: { give, isBusy, mustJoin, applicationHref },
}: {
  grant: Grant
  mayGive: boolean
  actions: ReturnType<typeof useGrantActions>
}) {
  const text = useWords(grantTexts)
  const reason = useReason(grant)
  if (reason === undefined) return null
  const isRepaired = isRepairedByCaller(grant)
  return (
    <Notice kind={grant.obstacle === 'NOT_A_MEMBER' ? 'info' : 'warn'}>
      <div className={styles.repair}>
        <span>
          {reason}{' '}
          {isRepaired &&
            (mayGive ? (mustJoin ? `${text.joinFirst}.` : text.repairByMe) : text.repairByManager)}
          {grant.obstacle === 'APPLICATION_DISABLED' && applicationHref === undefined && text.askManager}
        </span>
        {isRepaired && mayGive && !mustJoin && (
          <Button size="small" isBusy={isBusy} onPress={() => void give(grant.isMember)}>
            {text.takeOver}
          </Button>
        )}
        {grant.obstacle === 'APPLICATION_DISABLED' && applicationHref !== undefined && (
          <Link href={applicationHref} className={styles.link ?? ''}>
            {text.enable}
          </Link>
        )}
      </div>
    </Notice>
  )
}

function useReason(grant: Grant): string | undefined {
  const text = useWords(grantTexts)
  const { obstacle, application, grantedBy } = grant
  const lost = hasLostCapability(grant) ? text.lostCapability(grantedBy.displayName) : undefined
  if (obstacle === null) return lost
  // an application that only manages is no fault, unless it cannot
  if (obstacle === 'NOT_A_MEMBER') return lost ?? text.NOT_A_MEMBER
  return text[obstacle](obstacle === 'APPLICATION_DISABLED' ? application.name : grantedBy.displayName)
}
