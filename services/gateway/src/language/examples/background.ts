const list = (text: string): string[] => text.split("|").map((sentence) => sentence.trim());

/**
 * What people say to any assistant, and what a service that is described by examples is usually not asked for. A model that had seen
 * nothing but the examples would find one of them in everything. Words that many services share (send, show, book, pay, change, amounts)
 * are here in other senses, so that they alone decide nothing.
 */
export const BACKGROUND: readonly string[] = [
  ...list(
    "hello|hi there|hey|good morning|good evening everyone|how are you|how's it going|nice to meet you|thanks|thank you so much|thanks, that helps|great|perfect|cool|ok|okay then|yes|yes please|no|no thanks|maybe|sure|never mind|cancel|stop|wait a second|sorry|oops, my mistake|bye|see you tomorrow|good night|are you there|test|testing 1 2 3|lol|hmm|why|why is that|how come|what do you mean|I don't understand|that is wrong|this is not what I asked for|you are not helpful|well done",
  ),
  ...list(
    "who are you|what can you do|can you help me|help|what is your name|are you a robot|how does this work|show me some examples|what should I say|which languages do you speak|can I talk to a person|tell me a joke|sing a song|tell me a story|what do you think about politics|do you have feelings|how old are you|I am bored|I am tired today|I have a headache|my friend is coming over|it is my birthday on Friday",
  ),
  ...list(
    "what's the weather like today|will it rain tomorrow|what time is it|what day is it today|who won the match last night|what is in the news|translate this sentence into French|how do you spell necessary|what is the capital of Australia|how far is the moon|what is 15 times 12|convert 10 miles to kilometres|recommend a good restaurant|where can I eat tonight|how do I cook rice|what film should I watch|play some music|turn off the lights|set an alarm for seven|remind me to call the dentist|how do I get to the airport|what is the meaning of life|who wrote Hamlet|how tall is Mount Everest",
  ),
  ...list(
    "send me the report|send the file to the team|send an email to my manager|email the summary to everybody|can you send a reminder about the meeting|forward this message to support|send me a picture of it|send help|send them my regards|send flowers to the hospital|transfer the call to sales|transfer my data to the new laptop|move the meeting to Thursday|move this task to next week|copy the folder to the shared drive|upload the document|download the spreadsheet|print the first page|share the link with the others|pay attention to the details|who pays for this|give me an overview|give me the top five|give feedback on the draft|put it on the list|add a row to the table|remove the second column|change the title of the slide|update the status of the ticket|open the settings|close the window|save the draft|delete the old version|rename the file|schedule a call with the supplier|who is in the meeting|write a short note for the customer|summarise this text|make a chart of the numbers|compare the two versions|find the document about safety|search for open invoices|check my calendar for tomorrow",
  ),
  ...list(
    "propose new prices for the catalogue|what are the best prices|raise prices by 5 percent|what if prices go up by 3 %|check the rules|do the prices break a rule|explain the recommendation|why did the price of the pump change|how robust is the result|publish the proposal|what is our margin|how did revenue develop last quarter|forecast the demand for next year|what drives profit|which products sell best|what is the price of the valve|the valve costs 50 dollars|is 200 euros a fair price|keep prices below 1,000 dollars|how much did we spend last month|what was the bill in March|which servers are idle|how much does the database cost|cut the cloud bill by 10 %|alert me when costs go over 500 dollars|how many instances are running|create a weekly report|show the trend by region|what about EMEA|now with at most 2 %|for the top 3 items only|and for the other region|undo that|start over|say that again|go back to the last version|publish it|explain it|compare it with last year|what is the budget for this year|how many orders came in today|when does my parcel arrive|I want to return an item|the app does not work|I forgot my password|my screen is black|the printer is broken again|reset my password|install the update|how do I connect to the network",
  ),
  ...list(
    "I want to go home|I want to know more|I want to learn the piano|I'd like a cup of coffee|I would like to see the garden|I need a break|I need to think about it|I have to go now|I have to wash the car|can I have a look|can I ask you something|can you hear me|could you please speak slower|could you open the window for me|please be quiet|please wait for me|let me think|let's go for a walk|let's begin|help me carry this box|I am trying to sleep|is there anything new|there is a bird in the garden|how many people live here|how do I get there|take a photo of the house|take care of yourself|make me laugh|get some rest|he gave me a present|I have to finish this today|she is at home|they moved to Madrid last year|we need more time|next week I will be away|on Tuesday I go swimming",
  ),
  ...list(
    "make the pump 30 dollars cheaper|nothing under 250 dollars|everything over 1,500 euros|we sold 40 units for 2,000 dollars|the team spent 3,000 dollars on travel|who used 600 dollars of storage|warn us at 4,000 dollars a month|the limit is 100 dollars per day|is 20,000 won expensive|the ticket was 35 dollars|add 5 dollars to each price|between 10 and 20 euros|to at most 300 dollars|from 80 to 90 dollars|at least 25 dollars each|an order worth 700 euros|tickets for the concert|the deposit is due on Monday|my account is locked|show my account|which accounts are active|my landlord called|my sister is a doctor|I had dinner with Tom",
  ),
  ...list(
    "안녕|안녕하세요|안녕하십니까|반가워요|좋은 아침이에요|잘 지내?|고마워|감사합니다|정말 도움이 됐어요|좋아요|좋아|네|네 맞아요|응|아니|아니요 괜찮아요|글쎄|알겠습니다|알았어|됐어|취소|그만|잠깐만|미안해요|죄송합니다|잘못 말했어요|잘 가|내일 봐요|수고하세요|테스트|ㅋㅋㅋ|음|왜?|왜 그래?|왜 그런 거야|무슨 말이야|이해가 안 돼요|그게 아니라|틀렸어요|잘했어",
  ),
  ...list(
    "집에 가고 싶어|더 알고 싶어요|피아노를 배우고 싶어|커피 한 잔 할래|산책하러 갈래|쉬고 싶다|생각 좀 해 볼게|이제 가야 해|세차해야 돼|하나 물어봐도 돼?|내 말 들려?|천천히 말해 주세요|창문 좀 열어 주세요|조용히 해 줘|기다려 주세요|시작하자|이것 좀 들어 줘|자려고 해요|새로운 거 있어?|마당에 새가 있어|몇 명이 살아?|사진 찍어줘|몸조심해|웃겨줘|선물을 받았어|작년에 부산으로 이사했어|시간이 더 필요해|다음 주에는 없어요|화요일마다 수영해|오늘 하나 샀어|내일 오후에 비가 온대|부탁이 있어|좀 도와주려고",
  ),
  ...list(
    "너는 누구야|뭘 할 수 있어?|도와줘|도움말 보여줘|이름이 뭐야|로봇이야?|어떻게 쓰는 거야|예시 좀 보여줘|무슨 말을 하면 돼?|사람이랑 얘기하고 싶어|농담 하나 해줘|노래 불러줘|재미있는 얘기 해줘|심심해|피곤하다|배고프다|머리가 아파|친구가 놀러 와|오늘 내 생일이야",
  ),
  ...list(
    "오늘 날씨 어때|내일 비 와?|지금 몇 시야|오늘 며칠이지|어제 경기 누가 이겼어|뉴스 알려줘|이 문장 번역해줘|맞춤법 좀 봐줘|호주 수도가 어디야|15 곱하기 12는?|맛집 추천해줘|오늘 저녁 뭐 먹지|밥은 어떻게 지어|영화 추천해줘|음악 틀어줘|불 꺼줘|일곱 시에 알람 맞춰줘|치과 예약 알려줘|공항까지 어떻게 가|책 한 권 골라줘|엄마가 보고 싶어|친구한테 뭐라고 말하지",
  ),
  ...list(
    "보고서 보내줘|파일을 팀에 보내줘|팀장님한테 메일 보내줘|요약해서 메일로 보내주세요|회의 알림 보내줘|사진 보내줘|이 메시지를 지원팀에 전달해줘|문자 보내줘|전화 돌려줘|데이터를 새 노트북으로 옮겨줘|회의를 목요일로 옮겨줘|다음 주로 미뤄줘|폴더 복사해줘|문서 올려줘|파일 내려받아줘|첫 장만 출력해줘|링크 공유해줘|전체를 보여줘|상위 5개만 알려줘|초안에 의견 줘|목록에 추가해줘|두 번째 열 지워줘|제목 바꿔줘|상태 업데이트해줘|설정 열어줘|창 닫아줘|저장해줘|옛날 버전 삭제해줘|파일 이름 바꿔줘|거래처와 통화 잡아줘|누가 회의에 와?|고객에게 짧게 써줘|이 글 요약해줘|숫자로 차트 그려줘|두 버전 비교해줘|안전 문서 찾아줘|미결 송장 검색해줘|내일 일정 확인해줘",
  ),
  ...list(
    "밸브 가격을 3만원 올려줘|필터를 5천원 내려줘|최소 20만원 이상으로 해줘|50만원 이하로 제한해줘|10만원에서 15만원 사이로|각각 2만원씩 싸게 해줘|예산은 500만원이야|출장에 70만원을 썼어|저장소에 30만원 쓴 팀이 어디야|한 달에 400만원 넘으면 경고해줘|하루 한도는 10만원이야|표가 3만5천원이었어|2만원이면 비싸?|주문 금액이 90만원이야|매출이 천만원 늘었어|계정이 잠겼어|내 계정 보여줘|은행이 몇 시에 닫아|동생은 의사야|집주인이 전화했어|새 가격을 제안해줘|최적 가격이 뭐야|가격을 5% 올려줘|가격이 3% 오르면 어때|규칙 점검해줘|가격이 규칙을 위반해?|추천 이유 설명해줘|펌프 가격이 왜 바뀌었어|결과가 얼마나 견고해?|제안 게시해줘|마진이 얼마야|지난 분기 매출 어땠어|내년 수요 예측해줘|이익을 움직이는 게 뭐야|뭐가 제일 잘 팔려|밸브 가격이 얼마야|밸브는 5만원이야|20만원이면 적당해?|가격은 100만원 이하로|지난달에 얼마 썼어|3월 청구서 얼마야|노는 서버 있어?|데이터베이스 비용이 얼마야|클라우드 비용 10% 줄여줘|비용이 50만원 넘으면 알려줘|인스턴스가 몇 개야|주간 보고서 만들어줘|지역별 추이 보여줘|유럽은 어때|이번엔 최대 2%로|상위 3개 품목만|되돌려줘|처음부터 다시|다시 말해줘|게시해줘|설명해줘|작년과 비교해줘|올해 예산이 얼마야|오늘 주문 몇 건이야|택배 언제 와|반품하고 싶어요|앱이 안 돼요|비밀번호를 잊어버렸어|화면이 안 나와|프린터 고장났어|업데이트 설치해줘|네트워크 연결이 안 돼",
  ),
  ...list(
    "tell Julia when we spend more than 300 dollars|warn Marc if the bill goes over 1,500 euros|notify me once the cost passes 250 dollars|send an alert to the channel when storage is over 60 dollars|mail the cost report to Sandra every Friday|send Ken the list of servers|how much did Laura's team spend on storage|whose project cost 800 dollars|a budget of 500 dollars for the test account|the license is 40 dollars per user|add 20 dollars to the large plan|give the small plan a discount of 10 dollars|take 15 euros off the starter tier|set the filter to 65 dollars|lower the price of the sensor to 35 dollars|drop the price by 8 euros|put the premium tier at 99 dollars|move the price from 40 to 45 dollars|send Rita the proposal|get the price list over to marketing|publish the new prices and tell Frank|publish it and send it to everybody please|please send it for approval|shoot me a message|shoot me the numbers for May|move 30 units to the other warehouse|what does Martin earn|who is Emma|where does Paul live|I gave Lucy a book|I met Henry and Clara yesterday|the lunch was 18 dollars|my friend Karim is here|give my love to Helen|lend me a hand|drop me a line|wire up the lamp|the shirt cost me fifty bucks|a hundred people came|twenty of them please|two more weeks|one for each region|30 percent for the north|five dollars cheaper each|how do I get to Anna's house|get the report to Simon by tonight|need to get this done by tonight|I owe you one|pay rise for the team|who owes us money|which customers have not paid|which vendor do we pay the most|what do we pay for support|split the cost by team|divide the spend by project|share of the database in the bill|refunds of last month|1|3|10|25|100|item 7|and for A-100?|and for the pump?|and for BELT-5?|what about X-40?|and for my team?|and in the south?|warn above 900 dollars|alert at 2,500 dollars|notify me over 1,000 euros|have a nice weekend|have fun tonight|spend some time with the family|cancel everything|cancel the subscription|confirm|send it|send it please|yes, send it|do it now|go ahead",
  ),
  ...list(
    "비용이 넘으면 수진이에게 알려줘|20만원 넘게 쓰면 팀장님한테 알림 보내줘|하루에 15만원 이상이면 경고 메일 보내줘|청구서를 지훈이에게 보내줘|비용 보고서 매주 보내줘|누가 제일 많이 썼어|서버에 80만원이나 썼어|프리미엄에 만원 더해줘|스타터 요금제 5천원 깎아줘|센서 가격을 4만원으로 맞춰줘|밸브를 2만5천원으로 낮춰줘|모든 품목에 천원씩 더해줘|가격표를 영업팀에 보내줘|제안을 하나한테 보내줘|승인 요청 보내줘|영호가 누구야|은경이 집이 어디야|지연이한테 책을 줬어|친구 소개해줄게|밥값이 만오천원 나왔어|셔츠가 3만원이었어|지호한테 안부 전해줘|수연이 생일이 내일이야|민재한테 전화해줘|알림을 태호에게 보내줘|엄마한테 뭐라고 하지|동생이 왔어|팀별로 비용 나눠줘|누가 돈을 제일 많이 벌어|거래처 미수금 얼마야|좋은 시간 보내|주말 잘 보내세요|명절 잘 보내세요|휴가 어떻게 보냈어|행복한 하루 보내세요|편안한 밤 보내|즐거운 명절 보내세요|따뜻한 연말 보내|전부 취소|진행해|보내줘|그대로 해줘|팀 셋의 비용을 비교해줘",
  ),
];
