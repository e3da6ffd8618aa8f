/** Words that are no one's name, so that a name ends before them. */
const EN_COMMON = `
a an the this that these those some any all both each every either neither other another such same one two three first second last next more most less
few many much several own half quarter i me my mine myself you your yours he him his she her hers it its we us our they them their who whom whose which
what when where why how there here be is am are was were been being do does did doing done have has had having can could may might must shall should will would
not no nope yes yeah yep ok okay sure please thanks thank sorry hello hi hey bye well oh hmm um uh wow lol haha maybe perhaps dunno idk nothing something
anything everything nobody somebody someone anyone everybody everyone whoever whatever and or but if then else so because since while although though unless until
of in on at by for with from into onto to toward towards about over under again off out up down away back between through during before after above below
near without within via per as than like just only also too very really actually quite rather still already yet now soon later today tonight tomorrow
yesterday asap immediately quickly right instead ever never always often sometimes once twice together else etc
send sending sent pay paying paid give giving gave transfer transferring transferred wire wiring remit move moving put get getting got make making made change
changed changing update set use using want wanted need needed like liked would wish help let go going went come came know think mean meant say said tell told
ask asked see look try cancel stop abort skip continue proceed confirm forget mind wait hold start begin keep add remove delete drop split divide share
buy order book show check find call leave take took bring work works working understand explain owe lend borrow deposit withdraw schedule execute submit cover
money cash funds amount sum total balance account bank transfer transfers payment payments recipient recipients payee currency fee memo note message date
reference description thing things stuff question questions time day days week weeks month months year years morning afternoon evening night person people man
around approximately roughly exactly extra additional maximum minimum least street avenue cents cent least plain
won dollar dollars buck bucks euro euros pound pounds quid usd krw eur gbp jpy yen yuan rmb cny chf cad aud hkd sgd franc francs rupee rupees peso pesos
lunch dinner breakfast brunch coffee rent groceries gas taxi tickets ticket birthday gift present wedding party bill bills food drinks drink
weather nice good great bad fine cool perfect correct wrong true false right left new old big small same different free busy happy sad hot cold rain sunny
joke story song movie music game news pizza banana cat dog purple blue red green elephant elephants hungry tired bored sleepy
sky moon star stars life love meaning random blah foo bar baz test testing asdf qwerty lorem ipsum huh ugh meh gibberish nonsense
monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december
christmas halloween easter thanksgiving pls plz plss sry soz hiya yo ugh uhh umm oops whoops omg btw lemme gonna gotta wanna tho thx ty tysm excuse apologies pardon guess hang brb nah whoa gosh damn dear
anyway anyways bit lot lots kind sort way i'm i'd i'll i've it's that's don't doesn't didn't can't won't isn't wasn't
what's who's how's where's let's you're we're they're cannot im dont thats whats lets able
`;
export const EN_STOP: ReadonlySet<string> = new Set(EN_COMMON.trim().split(/\s+/));

/** Whom people send money to by what they are, "my mom" and "landlord". */
export const EN_KIN =
  /^(?:mom|mum|mommy|mother|dad|daddy|father|brother|sister|bro|sis|son|daughter|wife|husband|uncle|aunt|auntie|grandma|grandpa|grandmother|grandfather|granny|cousin|nephew|niece|boss|landlord|landlady|roommate|flatmate|neighbou?r|girlfriend|boyfriend|friend|partner|colleague|co-?worker|teacher|tutor|manager|fianc[eé]e?|parents|kids|family|in-?laws?|babysitter|nanny|doctor|dentist|plumber|mechanic)$/i;

export const SURNAMES =
  "김이박최정강조윤장임한오서신권황안송류유홍전고문양손배백허남심노하곽성차주우구민진지엄채원천방공현함변염여추도소석선설마길연위표명기반라왕금옥육인맹제모탁국어은편용";

const KO_COMMON = `
오늘 내일 모레 어제 지금 당장 이제 나중 나중에 다음 이번 지난 그냥 다시 또 더 좀 조금 많이 빨리 바로 먼저 일단 혹시 그럼 그러면 그런데 근데 그리고 하지만 그래서 아니 아니요 아뇨 아니오
아니야 아니다 아냐 아닌데 아니라고 앗 아차 어머 에이 헉 참 저기요 여보세요 맞다 맞네 그렇지 그러니까 이런 이렇게 그렇게 저렇게 최대한 최소 나머지 둘다 걔 얘 쟤 거 것 건
네 넵 예 응 어 음 아 오 그래 그래요 좋아 좋아요 맞아 맞아요 글쎄 글쎄요 몰라 몰라요 모르겠어 모르겠어요 모르겠네 잘 못 안 왜 뭐 뭐야 뭐지 무엇 무슨 누구 누가 누구야 누군지 어디 어떻게 얼마 얼마나 언제 어떤 어느
이거 그거 저거 이것 그것 저것 여기 거기 저기 나 너 저 우리 저희 내가 제가 네가 그 이 돈 금액 액수 총액 총 전부 모두 다 각각 각자 각 씩 정도 대략 약 합쳐서 합계 만 원 원화 현금 계좌 통장 은행 계좌로 통장으로 계좌번호
오네 오네요 가네 춥네 덥네 춥다 덥다 온다 간다 동료 직원 동창 친척 회사 학교
달러 유로 엔화 파운드 위안 위안화 프랑 페소 루피 바로 따로 새로 별도 별도로 제대로 현금으로 그대로 이름 명의 방법 방식 회식 야식 간식 이벤트 자동 카드 앱 명 명한테 명에게 사람에게 사람한테 분께 분에게 분한테
이체 송금 입금 출금 전송 결제 지불 확인 승인 취소 변경 수정 진행 계속 중단 실행 완료 부탁 처리 예약 요청 설정 신청 조회 잔액 수수료 이체해 송금해 보내 보내줘 보내주세요 보낼게 보낼래 보내기 보내고 보내자 보내요 보내야 보내려고 보낼 부쳐 부쳐줘 넣어 넣어줘 주고 줘 줘요 주세요 해줘 해 해주세요 할게 할래 하자 해요 하고 싶어 싶어요 싶은데
바꿔 바꿔줘 고쳐 고쳐줘 빼 빼줘 추가 추가로 추가해 대신 말고 아니라 아니고 그대로 이대로 그만 됐어 받는 받는사람 받는분 수취인 사람 사람은 상대 상대방 대상 분 메모 적요 비고 내용 날짜 일자 시간 오전 오후 아침 점심 저녁 밤 밥 월세 관리비 회비 용돈 생활비 학원비 선물 생일 축의금
날씨 안녕 안녕하세요 안녕히 고마워 고마워요 감사 감사합니다 감사해요 미안 미안해 미안해요 죄송 죄송해요 죄송합니다 잠깐 잠깐만 잠시 잠시만 잠시만요 기다려 기다려봐 하하 히히 헐 대박 어라 어쩌지 그게 몰라요 모르것다 몰겠어 에휴 휴 암튼 아무튼 하여튼 여튼 잠만 잠만요 담에 진짜 정말 배고파 배고프다 심심해 졸려 노래 영화 음악 농담 이야기 재밌는 아무 아무나 아무거나 아무말 글쎄다 모름 있잖아 있지 있어 없어 없어요 없는데 괜찮아 괜찮아요 싫어 싫어요 좋은 좋네 좋다 도와줘 도움 기분 생각 생각중 고민 비밀 테스트 바나나 사과 고양이 강아지 피자 커피 치킨 축구 야구 게임 뉴스 오늘은 내일은 무지개 하늘 구름 달 별 비 눈 원숭이 코끼리
`;
export const KO_STOP: ReadonlySet<string> = new Set(KO_COMMON.trim().split(/\s+/));

/** Words of those that are names as well, where a particle points at somebody: 하늘한테. */
export const KO_ALSO_NAME: ReadonlySet<string> = new Set([
  "하늘",
  "구름",
  "별",
  "달",
  "눈",
  "무지개",
  "고운",
  "가을",
]);

/** People by what they are to the speaker, and titles behind a name. */
export const KO_KIN =
  /^(?:엄마|어머니|어머님|아빠|아버지|아버님|부모님|할머니|할아버지|할머님|외할머니|외할아버지|이모|이모부|고모|고모부|삼촌|외삼촌|숙모|작은아버지|큰아버지|형|형님|누나|누님|언니|오빠|동생|남동생|여동생|아들|딸|아내|와이프|남편|여보|신랑|장모님|장인어른|시어머니|시아버지|조카|사촌|친구|여자친구|남자친구|여친|남친|룸메|룸메이트|집주인|주인집|사장|사장님|선배|선배님|후배|선생님|교수님|팀장|팀장님|과장|과장님|대리|대리님|부장|부장님|차장|차장님|실장|실장님|이사|이사님|대표|대표님|매니저|매니저님|원장님|목사님|기사님|아저씨|아주머니|이웃|막내|첫째|둘째)$/;
/** What people are called by behind their name, which is no part of it: 박서준 과장님. */
export const KO_TITLE =
  /^(?:(?:사장|부사장|회장|부회장|대표|대표이사|이사|상무|전무|부장|차장|과장|대리|팀장|실장|본부장|센터장|지점장|점장|원장|소장|국장|반장|주임|선생|교수|박사|의사|간호사|약사|변호사|회계사|세무사|작가|기자|감독|코치|선수|강사|목사|신부|스님|집사|매니저|매니져|사모|고객|쌤)님?|(?:이모|고모|형|누|선배|후배|기사|총무|위원|의원)님|선생|쌤)$/;
export const KO_OWN = /^(?:우리|내|제|저희|울|나의|저의)$/;

/** Endings of words that do something or stand in a sentence, which names do not have. */
const KO_ENDING =
  /(?:에서|부터|까지|해서|하고|하며|하면|인데|은데|는데|니까|거든|잖아|습니다|입니다|합니다|할게|할래|해줘|해요|주세요|줘요?|어요|아요|에요|예요|네요|군요|나요|까요|죠|지요|겠어|겠다|았어|었어|했어|됐어|[었았였했렸랐왔갔났졌겼쳤켰됐]어요?|[었았였했렸랐왔갔났졌]네요?|있어|없어|싶어|하자|보자|려고|라고|다고|면서|지만|든지|보다|처럼|같이|마다|조차|밖에)$/;

/** How words begin that are no names in any form: apologies, thanks, interjections, and what people do with money. */
const KO_NOT_NAME =
  /^(?:죄송|미안|감사|고맙|고마[워웠]|실례|수고|잠깐|잠시|잠만|아니|그러|그런|그럼|글쎄|괜찮|보[내네낼냈]|송[금굼]|이[체채][하해할]|입금|출금|부[쳐치칠]|쏴|쏘|드려|드리|전송|바꿔|바꾸|바꿀|변경|취소|착각|실수|잘못|헷갈|말고)/;

export function isKoreanName(word: string): boolean {
  if (KO_KIN.test(word)) return true;
  if (!/^[가-힣]{2,5}$/.test(word) || KO_STOP.has(word) || KO_NOT_NAME.test(word)) return false;
  if (word.length > 2 && KO_STOP.has(word.replace(/(?:은|는|을|를|도|만|이|가|에|로|으로|랑|나)$/, "")))
    return false;
  return !KO_ENDING.test(word);
}
