import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { listDirectory } from '#contract/chat/channels.ts'
import { joinChannel } from '#contract/chat/members.ts'
import { textOfError } from '../../data/errors.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useAction, useList } from '../../data/read.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { Page } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Empty, Problem, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { BackButton } from './back-button.tsx'
import styles from './channels.module.css'
import { channelTexts } from './channels.words.ts'

/** The channels that everybody may join; it says before that joining is seen. */
export function Directory() {
  const text = useWords(channelTexts)
  const language = useLanguage()
  const may = useMay()
  const navigate = useNavigate()
  const { address } = useOrganization()
  const { q } = useSearch({ from: '/o/$organization/channels/directory' })
  const list = useList(listDirectory, { query: q === undefined ? {} : { search: q } })
  const join = useAction(joinChannel)
  const hrefOf = (id: string) => `/o/${encodeURIComponent(address)}/channels/${id}`
  return (
    <Page title={text.directoryTitle} width="full" before={<BackButton />}>
      <div className={styles.tools}>
        <SearchField
          label={text.directorySearch}
          value={q ?? ''}
          onChange={value =>
            void navigate({ to: '.', search: (value ? { q: value } : {}) as never, replace: true })
          }
        />
        <p className={styles.about}>{text.directoryAbout}</p>
      </div>
      <div className={styles.found}>
        {list.isLoading && <Skeleton label={text.reading} />}
        {list.error && (
          <Problem
            title={textOfError(list.error, language)}
            action={<Button onPress={list.reload}>{text.again}</Button>}
          />
        )}
        {!list.isLoading && !list.error && list.items.length === 0 && (
          <Empty title={q === undefined ? text.directoryEmpty : text.nothing} />
        )}
        <ul>
          {list.items.map(({ id, name, description, role }) => (
            <li key={id} className={styles.directoryEntry}>
              <div className={styles.directoryWords}>
                <Link to={hrefOf(id)} className={styles.directoryName}>
                  #{name}
                </Link>
                {description && <span className={styles.directoryAbout}>{description}</span>}
              </div>
              {role !== null ? (
                <>
                  <span className={styles.quiet}>{text.isIn}</span>
                  <ButtonLink href={hrefOf(id)} size="small">
                    {text.open}
                  </ButtonLink>
                </>
              ) : (
                may(joinChannel) && (
                  <Button
                    size="small"
                    isBusy={join.isPending && join.variables.params?.id === id}
                    aria-label={`${text.join}: ${name}`}
                    onPress={() =>
                      join.mutate(
                        { params: { id } },
                        {
                          onSuccess: () => navigate({ to: hrefOf(id) }),
                          toastsFailure: true,
                        },
                      )
                    }
                  >
                    {text.join}
                  </Button>
                )
              )}
            </li>
          ))}
        </ul>
        <LoadMore
          hasMore={list.hasMore}
          isLoadingMore={list.isLoadingMore}
          loadMore={list.loadMore}
          shown={list.items.length}
          total={list.total}
        />
      </div>
    </Page>
  )
}
