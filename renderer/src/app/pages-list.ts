import type { Component } from 'vue';
import BoardPage from '../pages/BoardPage.vue';
import type { IconName } from '../ui/design/icons.ts';

/**
 * A page of the console. `word` is its name under `pages.`. Pages with `adminsOnly` are hidden from other
 * users, and the station refuses their calls.
 */
interface ConsolePage {
  readonly path: string;
  readonly word: string;
  readonly component: () => Promise<Component>;
  /**
   * `of-all`: the page changes things of every organization, so only those who administer all of them may.
   */
  readonly adminsOnly?: true | 'of-all';
}

/** Pages of the bar, in this order. */
export const BAR_PAGES: readonly (ConsolePage & { readonly icon: IconName })[] = [
  { path: '/', word: 'board', icon: 'board', component: async () => BoardPage },
  { path: '/units', word: 'units', icon: 'units', component: () => import('../pages/fleet/UnitsPage.vue') },
  { path: '/vehicles', word: 'vehicles', icon: 'truck', component: () => import('../pages/VehiclesPage.vue') },
  { path: '/alarms', word: 'alarms', icon: 'bell', component: () => import('../pages/AlarmsPage.vue') },
  { path: '/events', word: 'events', icon: 'list', component: () => import('../pages/EventsPage.vue') },
  { path: '/reports', word: 'reports', icon: 'chart', component: () => import('../pages/ReportsPage.vue') },
  { path: '/routes', word: 'routes', icon: 'road', component: () => import('../pages/RoutesPage.vue') },
  { path: '/shift', word: 'shift', icon: 'shift', component: () => import('../pages/fleet/ShiftPage.vue') },
  { path: '/stations', word: 'stations', icon: 'link', component: () => import('../pages/StationsPage.vue') },
  { path: '/archive', word: 'archive', icon: 'search', component: () => import('../pages/ArchivePage.vue') },
  {
    path: '/administration',
    word: 'administration',
    icon: 'book',
    component: () => import('../pages/AdministrationPage.vue'),
  },
  { path: '/settings', word: 'settings', icon: 'settings', component: () => import('../pages/SettingsPage.vue') },
];

/** The side list of `/administration`. `word` of a group is under `administration.groups.`. */
export const ADMINISTRATION: readonly { readonly word: string; readonly pages: readonly ConsolePage[] }[] = [
  {
    word: 'tasks',
    pages: [
      { path: '/types', word: 'types', component: () => import('../pages/tasks/TypesPage.vue'), adminsOnly: 'of-all' },
      {
        path: '/type-groups',
        word: 'typeGroups',
        component: () => import('../pages/tasks/TypeGroupsPage.vue'),
        adminsOnly: 'of-all',
      },
      {
        path: '/categories',
        word: 'categories',
        component: () => import('../pages/tasks/CategoriesPage.vue'),
        adminsOnly: 'of-all',
      },
      {
        path: '/statuses',
        word: 'statuses',
        component: () => import('../pages/tasks/StatusesPage.vue'),
        adminsOnly: 'of-all',
      },
      {
        path: '/call-protocols',
        word: 'protocols',
        component: () => import('../pages/tasks/ProtocolsPage.vue'),
        adminsOnly: 'of-all',
      },
      {
        path: '/custom-fields',
        word: 'customFields',
        component: () => import('../pages/tasks/CustomFieldsPage.vue'),
        adminsOnly: true,
      },
    ],
  },
  {
    word: 'people',
    pages: [
      {
        path: '/departments',
        word: 'departments',
        component: () => import('../pages/people/OrganizationsPage.vue'),
        adminsOnly: true,
      },
      { path: '/users', word: 'users', component: () => import('../pages/people/UsersPage.vue'), adminsOnly: true },
      { path: '/rights', word: 'rights', component: () => import('../pages/people/RolesPage.vue'), adminsOnly: true },
      {
        path: '/states',
        word: 'states',
        component: () => import('../pages/people/StatesPage.vue'),
        adminsOnly: 'of-all',
      },
    ],
  },
  {
    word: 'fleet',
    pages: [
      {
        path: '/fleet/vehicles',
        word: 'vehicleDirectory',
        component: () => import('../pages/fleet/VehicleDirectoryPage.vue'),
        adminsOnly: true,
      },
      {
        path: '/fleet/models',
        word: 'models',
        component: () => import('../pages/fleet/ModelsPage.vue'),
        adminsOnly: true,
      },
      {
        path: '/fleet/marks',
        word: 'marks',
        component: () => import('../pages/fleet/MakesPage.vue'),
        adminsOnly: true,
      },
      {
        path: '/fleet/groups',
        word: 'vehicleGroups',
        component: () => import('../pages/fleet/GroupsPage.vue'),
        adminsOnly: true,
      },
      {
        path: '/fleet/kinds',
        word: 'vehicleKinds',
        component: () => import('../pages/fleet/VehicleKindsPage.vue'),
        adminsOnly: 'of-all',
      },
      {
        path: '/fleet/capabilities',
        word: 'capabilities',
        component: () => import('../pages/fleet/CapabilitiesPage.vue'),
        adminsOnly: 'of-all',
      },
      {
        path: '/fleet/plans',
        word: 'responsePlans',
        component: () => import('../pages/fleet/ResponsePlansPage.vue'),
        adminsOnly: true,
      },
      {
        path: '/fleet/premise-notes',
        word: 'premiseNotes',
        component: () => import('../pages/fleet/PremiseNotesPage.vue'),
        adminsOnly: true,
      },
      { path: '/fleet/tags', word: 'tags', component: () => import('../pages/fleet/TagsPage.vue'), adminsOnly: true },
      {
        path: '/fleet/drivers',
        word: 'drivers',
        component: () => import('../pages/fleet/DriversPage.vue'),
        adminsOnly: true,
      },
      {
        path: '/fleet/icons',
        word: 'icons',
        component: () => import('../pages/fleet/IconsPage.vue'),
        adminsOnly: true,
      },
      {
        path: '/fleet/fields',
        word: 'vehicleFields',
        component: () => import('../pages/fleet/VehicleFieldsPage.vue'),
        adminsOnly: true,
      },
      {
        path: '/fleet/sensors',
        word: 'sensors',
        component: () => import('../pages/fleet/SensorsPage.vue'),
        adminsOnly: true,
      },
      {
        path: '/fleet/geozones',
        word: 'geozones',
        component: () => import('../pages/fleet/GeozonesPage.vue'),
        adminsOnly: true,
      },
      {
        path: '/fleet/routes',
        word: 'plannedRoutes',
        component: () => import('../pages/fleet/PlannedRoutesPage.vue'),
        adminsOnly: true,
      },
      {
        path: '/fleet/thresholds',
        word: 'thresholds',
        component: () => import('../pages/fleet/ThresholdsPage.vue'),
        adminsOnly: true,
      },
      { path: '/crews', word: 'crews', component: () => import('../pages/fleet/CrewsPage.vue') },
      {
        path: '/fleet/retention',
        word: 'retention',
        component: () => import('../pages/fleet/RetentionPage.vue'),
        adminsOnly: true,
      },
    ],
  },
  {
    word: 'station',
    pages: [
      { path: '/mail', word: 'mail', component: () => import('../pages/station/MailPage.vue'), adminsOnly: true },
      { path: '/post', word: 'post', component: () => import('../pages/station/PostPage.vue'), adminsOnly: true },
      {
        path: '/imports',
        word: 'imports',
        component: () => import('../pages/station/ImportsPage.vue'),
        adminsOnly: true,
      },
      {
        path: '/mailbox',
        word: 'mailbox',
        component: () => import('../pages/station/MailboxPage.vue'),
        adminsOnly: 'of-all',
      },
      {
        path: '/sms',
        word: 'sms',
        component: () => import('../pages/station/SmsPage.vue'),
        adminsOnly: 'of-all',
      },
      {
        path: '/exchange',
        word: 'exchange',
        component: () => import('../pages/station/ExchangePage.vue'),
        adminsOnly: 'of-all',
      },
      {
        path: '/warning-feeds',
        word: 'warningFeeds',
        component: () => import('../pages/station/WarningFeedsPage.vue'),
        adminsOnly: 'of-all',
      },
      {
        path: '/report-mail',
        word: 'reportMail',
        component: () => import('../pages/station/ReportMailPage.vue'),
        adminsOnly: true,
      },
      {
        path: '/webhooks',
        word: 'webhooks',
        component: () => import('../pages/station/WebhooksPage.vue'),
        adminsOnly: true,
      },
      {
        path: '/quarantine',
        word: 'quarantine',
        component: () => import('../pages/station/QuarantinePage.vue'),
        adminsOnly: true,
      },
      {
        path: '/backups',
        word: 'backups',
        component: () => import('../pages/station/BackupsPage.vue'),
        adminsOnly: 'of-all',
      },
      { path: '/log', word: 'log', component: () => import('../pages/station/LogPage.vue'), adminsOnly: true },
      { path: '/audit', word: 'audit', component: () => import('../pages/station/AuditPage.vue'), adminsOnly: true },
      { path: '/speeds', word: 'speeds', component: () => import('../pages/station/SpeedsPage.vue') },
      { path: '/own-places', word: 'ownPlaces', component: () => import('../pages/station/OwnPlacesPage.vue') },
      { path: '/territory', word: 'territory', component: () => import('../pages/station/TerritoryPage.vue') },
    ],
  },
];

/** Pages that one comes to by another way than the lists. */
export const OTHER_PAGES: readonly Omit<ConsolePage, 'word'>[] = [
  { path: '/vehicles/:id(\\d+)', component: () => import('../pages/VehiclePage.vue') },
  { path: '/statistics', component: () => import('../pages/StatisticsPage.vue') },
  { path: '/past', component: () => import('../pages/board/PastPage.vue') },
  { path: '/calls', component: () => import('../pages/tasks/CallsPage.vue') },
  { path: '/map', component: () => import('../pages/windows/MapPage.vue') },
  { path: '/wall', component: () => import('../pages/windows/WallPage.vue') },
  { path: '/queue', component: () => import('../pages/windows/QueuePage.vue') },
  { path: '/card', component: () => import('../pages/windows/CardPage.vue') },
  { path: '/design', component: () => import('../pages/DesignPage.vue') },
];

/** Parts of pages that are fetched when they are first wanted. */
const LATER = [
  () => import('../features/board/map/BoardMap.vue'),
  () => import('../features/task/editor/TaskEditor.vue'),
  () => import('../ui/files/PaperPreview.vue'),
];

/** Fetches all pages one after another, so that they work while the station is away. */
export async function fetchPages(): Promise<void> {
  const pages = [...BAR_PAGES, ...ADMINISTRATION.flatMap((group) => group.pages), ...OTHER_PAGES].map(
    ({ component }) => component,
  );
  // then it is fetched when it is wanted
  for (const fetched of [...LATER, ...pages]) await fetched().catch(() => undefined);
}
