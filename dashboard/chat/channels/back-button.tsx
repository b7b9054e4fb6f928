import { Link, useSearch } from '@tanstack/react-router'
import { linkTo } from '../../data/link-to.ts'
import { useOrganization } from '../../data/organization.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { useIsPhone } from '../../parts/phone.ts'
import { useWords } from '../../words/words.ts'
import styles from './back-button.module.css'
import type { ChannelSearch } from './channel-search.ts'
import { channelTexts } from './channels.words.ts'

/** The way back: to the list that led here, or on a phone to the channels. */
export function BackButton() {
  const text = useWords(channelTexts)
  const isPhone = useIsPhone()
  const { address } = useOrganization()
  const { from, q, in: channel }: ChannelSearch = useSearch({ strict: false })
  const base = `/o/${encodeURIComponent(address)}/channels`
  if (from) {
    const label = { search: text.backToSearch, mentions: text.backToMentions, threads: text.backToThreads }[
      from
    ]
    const query = new URLSearchParams({
      ...(q !== undefined && { q }),
      ...(channel !== undefined && { channel }),
    })
    const href = `${base}/${from}${query.size > 0 ? `?${query}` : ''}`
    return isPhone ? (
      <Link {...linkTo(href)} aria-label={label} className={styles.back}>
        <Icon name="chevronLeft" />
      </Link>
    ) : (
      <ButtonLink href={href} size="small" icon="chevronLeft">
        {label}
      </ButtonLink>
    )
  }
  if (!isPhone) return null
  return (
    <Link to={base} aria-label={text.back} className={styles.back}>
      <Icon name="chevronLeft" />
    </Link>
  )
}
