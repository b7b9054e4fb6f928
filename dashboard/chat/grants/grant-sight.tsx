import type { Grant } from '#contract/chat/grants.ts'
import { listMessages } from '#contract/chat/messages.ts'
import { readApplication } from '#contract/integrations/applications.ts'
import { useMay } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { useWords } from '../../words/words.ts'
import type { Channel } from '../channel.rules.ts'
import type { HeadingLevel } from '../part.tsx'
import styles from './grants.module.css'
import { grantTexts } from './grants.words.ts'
import { type Ability, type Answer, abilitiesOf, examplesOf } from './sight.rules.ts'

const icons: Readonly<Record<Answer, IconName>> = { yes: 'check', no: 'close', depends: 'dashed' }

/** The things that an application sees and does in a channel, in words, with a message that it gets and one that it does not. */
export function GrantSight({
  channel,
  grant,
  level,
}: {
  channel: Channel
  grant: Grant
  level: HeadingLevel
}) {
  const text = useWords(grantTexts)
  const may = useMay()
  const mayReadScopes = may(readApplication)
  const application = useRead(
    readApplication,
    { params: { id: grant.application.id } },
    { enabled: mayReadScopes },
  )
  const abilities = abilitiesOf(grant, application.data?.scopes)
  const reads = abilities.some(({ id, answer }) => id === 'readsVisible' && answer !== 'no')
  const Heading = level === 2 ? 'h2' : 'h3'
  // with the scopes on their way, nothing would be true yet
  if (mayReadScopes && application.isPending) return null
  return (
    <>
      <Heading className={styles.subtitle}>{text.sight(grant.application.name)}</Heading>
      <ul className={styles.abilities}>
        {abilities.map(ability => (
          <AbilityLine key={ability.id} ability={ability} grantorName={grant.grantedBy.displayName} />
        ))}
      </ul>
      {!mayReadScopes && <p className={styles.quiet}>{text.sightUnknown}</p>}
      {reads && <Examples channel={channel} />}
    </>
  )
}

function AbilityLine({ ability, grantorName }: { ability: Ability; grantorName: string }) {
  const text = useWords(grantTexts)
  const { id, answer, reason } = ability
  const spoken = { yes: text.allowed, no: text.refused, depends: text.perhaps }[answer]
  const why =
    answer === 'depends'
      ? text.ifScopes
      : reason === 'scope'
        ? text.reason_scope
        : reason === 'grantor'
          ? text.reason_grantor(grantorName)
          : undefined
  return (
    <li className={`${styles.ability} ${styles[answer] ?? ''}`} data-answer={spoken}>
      <Icon name={icons[answer]} />
      <span>
        {answer === 'no' ? text[`${id}_no`] : text[id]}
        {why !== undefined && <span className={styles.quiet}>, {why}</span>}
      </span>
    </li>
  )
}

/** The newest messages of each kind; those who cannot read the channel see invented ones. */
function Examples({ channel }: { channel: Channel }) {
  const text = useWords(grantTexts)
  const messages = useRead(
    listMessages,
    { params: { id: channel.id }, query: { limit: 50 } },
    { enabled: channel.role !== null },
  )
  if (channel.role !== null && messages.isPending) return null
  const { visible, hidden } = examplesOf(messages.data?.items ?? [])
  return (
    <div className={styles.examples}>
      <figure className={styles.example}>
        <figcaption className={styles.verdict}>
          <Icon name="check" /> {text.arrives}
        </figcaption>
        <Quote name={visible?.author.displayName} content={visible?.content ?? text.exampleVisible} />
      </figure>
      <figure className={`${styles.example} ${styles.hidden}`}>
        <figcaption className={styles.verdict}>
          <Icon name="hidden" /> {text.arrivesNot}
          <span>· {hidden?.visibility === 'PRIVATE' ? text.PRIVATE : text.INTERNAL}</span>
        </figcaption>
        <Quote name={hidden?.author.displayName} content={hidden?.content ?? text.exampleHidden} />
      </figure>
      {(!visible || !hidden) && <p className={styles.line}>{text.exampleNote}</p>}
    </div>
  )
}

function Quote({ name, content }: { name: string | undefined; content: string }) {
  return (
    <blockquote className={styles.message}>
      {name !== undefined && <span className={styles.subtitle}>{name}: </span>}
      {content}
    </blockquote>
  )
}
