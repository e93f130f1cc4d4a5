import { styled } from '@mui/material/styles'
import { useSearchParams } from 'react-router-dom'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { CsvExport } from '../../shared/csv/CsvExport.tsx'
import { Announced } from '../../shared/frame/Announcer.tsx'
import { Button } from '../../shared/frame/Button.tsx'
import { Quiet } from '../../shared/frame/controls.tsx'
import { RadioRow } from '../../shared/frame/RadioRow.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { useLevels } from '../../shared/lookup/levels.ts'
import { Section } from '../../shared/lookup/Section.tsx'
import { People } from '../../shared/past/PastLists.tsx'
import { type PastDownlineParameters, type PastPartProps, usePastDownline } from '../../shared/past/queries.ts'
import { hasFilter } from './downlineFilter.ts'
import FilterPanel from './FilterPanel.tsx'
import { LevelBar } from './LevelBar.tsx'
import { type DownlineView, useDownlineView, useFilterForm } from './useDownlineView.ts'

type TableView = Extract<DownlineView, { kind: 'table' }>

/** Without a level and a filter in the URL, the directs. */
const directs: TableView = { kind: 'table', level: 1, sort: 'joined', order: 'asc' }

/**
 * Shows the downline that a member had: its levels, and as a table one of them, all of it or those who pass the filters of the URL. A
 * filter counts the teams, volumes and activity of that moment.
 */
export default function PastDownline({ community, address, asOf, member }: PastPartProps) {
  const { t } = useTranslation()
  const { t: past } = useLazyTranslation('history')
  const [parameters] = useSearchParams()
  const [view, change] = useDownlineView(community.tokens.volume)
  const { button, panel } = useFilterForm()
  const shown = view.kind === 'table' ? view : directs
  const { level, filter, days } = shown
  const levels = useLevels(community.id, address, { asOf, chosen: level === 'all' ? undefined : level })
  // Days have no effect at a past moment, so the whole table can be sorted by team.
  const sort = view.kind === 'table' && parameters.get('sort') === 'team' ? 'team' : 'joined'
  const caption =
    level === 'all' ? past('past.all') : level === 1 ? past('past.directs') : past('past.level', { level })
  return (
    <Section
      title={caption}
      aside={
        <RadioRow
          label={past('past.order')}
          value={sort}
          options={[
            ['joined', past('past.joined')],
            ['team', past('past.team')],
          ]}
          onChange={(chosen) => change({ sort: chosen, order: null, ...(view.kind !== 'table' && { level: '1' }) })}
        />
      }
    >
      {days && (
        <Quiet>
          <Announced>{past('past.noDays')}</Announced>
        </Quiet>
      )}
      <Button {...button}>{t('referrals.filter')}</Button>
      {(hasFilter(parameters) || panel.form === 'open') && (
        <FilterPanel member={member} community={community} change={change} moment="past" {...panel} />
      )}
      <Place>
        <Answer query={levels.query} skeleton={null}>
          {() =>
            levels.items.length > 1 && (
              <LevelBar
                levels={levels.items}
                count={member.maxLevel}
                total={member.team}
                view={shown}
                onLevel={(chosen) => change({ level: String(chosen), levelFrom: null, levelTo: null })}
                more={levels.more}
              />
            )
          }
        </Answer>
      </Place>
      <Members
        {...{ community, address, asOf, caption }}
        parameters={{ level, filter, sort }}
        rows={level === 'all' ? member.team : levels.items.find((one) => one.level === level)?.count}
      />
    </Section>
  )
}

type MembersProps = Pick<PastPartProps, 'community' | 'address' | 'asOf'> & {
  caption: string
  parameters: PastDownlineParameters
  /** Number of members without a filter. */
  rows: number | undefined
}

function Members({ community, address, asOf, caption, parameters, rows }: MembersProps) {
  const { t } = useLazyTranslation('history')
  const { t: common } = useTranslation()
  const { t: filters } = useLazyTranslation('filters')
  const format = useFormat()
  const query = usePastDownline(community.id, address, asOf, parameters)
  const { level, filter } = parameters
  const [first] = query.data?.pages ?? []
  if (query.error?.code === 'too_costly' && !first) return <Quiet role="alert">{t('past.costly')}</Quiet>
  const size = (filter ? first?.count?.value : rows) ?? 0
  const isEmpty = first?.items.length === 0 && !query.hasNextPage
  return (
    <>
      {first?.count && !isEmpty && (
        <Quiet>
          <Announced>
            {filters(first.count.relation, { count: first.count.value, number: format.count(first.count.value) })}
          </Announced>
        </Quiet>
      )}
      {first?.undated !== undefined && first.undated.value > 0 && (
        <Quiet>
          {filters('undated', {
            number: `${first.undated.relation === 'exact' ? '' : '≥ '}${format.count(first.undated.value)}`,
          })}
        </Quiet>
      )}
      {isEmpty ? (
        <Quiet>
          <Announced>{filter ? filters('none') : level === 1 ? t('past.noDirects') : t('past.noLevels')}</Announced>
        </Quiet>
      ) : (
        <>
          <People query={query} caption={caption} figure="team" hasLevels={level === 'all'} />
          <CsvExport
            {...{ community, address, asOf }}
            rows={size}
            describe={(bytes) =>
              [caption, common('csv.rows', { count: size, rows: format.count(size) }), bytes].join(' · ')
            }
            {...(filter && { filter })}
            {...(level !== 'all' && { filter: { ...filter, levelFrom: level, levelTo: level } })}
          />
        </>
      )}
    </>
  )
}

const Place = styled('div')({ minHeight: 8 })
